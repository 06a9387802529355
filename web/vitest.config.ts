import { defineConfig } from "vitest/config";

/// Stretches every deadline for slow builds, as in tests/e2e.
const scale = Number(process.env.PTYD_TEST_SCALE ?? 1);

export default defineConfig({
  test: {
    projects: [
      { test: { name: "unit", include: ["client/test/**/*.test.ts", "app/test/**/*.test.ts"], testTimeout: 20_000 } },
      {
        test: {
          name: "browser", // the real server (PTYD_BIN) and a real Chromium (CHROMIUM)
          include: ["e2e/**/*.test.ts"],
          testTimeout: 240_000 * scale,
          hookTimeout: 60_000 * scale,
          fileParallelism: false, // a browser and a server fill this kind of machine
        },
      },
    ],
  },
});
