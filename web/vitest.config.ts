import { defineConfig } from "vitest/config";

/// Stretches every deadline for slow builds, as in tests/e2e.
const scale = Number(process.env.PTYD_TEST_SCALE ?? 1);
/// For one thing to happen, and for a whole test: nothing is proved by them, they end what hangs.
const patience = 120_000 * scale;
const whole = 600_000 * scale;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["client/test/**/*.test.ts", "app/test/**/*.test.ts"],
          testTimeout: patience,
          hookTimeout: patience,
        },
      },
      {
        test: {
          name: "browser", // the real server (PTYD_BIN) and a real Chromium (CHROMIUM)
          include: ["e2e/**/*.test.ts"],
          testTimeout: whole,
          hookTimeout: patience,
          expect: { poll: { timeout: patience } },
          fileParallelism: false, // a browser and a server fill this kind of machine
        },
      },
    ],
  },
});
