import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      { test: { name: "unit", include: ["client/test/**/*.test.ts", "app/test/**/*.test.ts"], testTimeout: 20_000 } },
      {
        test: {
          name: "browser", // the real server (PTYD_BIN) and a real Chromium (CHROMIUM)
          include: ["e2e/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 60_000,
          fileParallelism: false, // a browser and a server fill this kind of machine
        },
      },
    ],
  },
});
