import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["client/test/**/*.test.ts", "app/test/**/*.test.ts"], testTimeout: 20_000 },
});
