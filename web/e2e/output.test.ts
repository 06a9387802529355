import type { Page } from "playwright-core";
import { expect } from "vitest";
import { countedLines, holesIn } from "../../tests/e2e/support/holes.mjs";
import { prompt, seen, wholeText } from "./reading.ts";
import { scenario } from "./stage.ts";

const kLines = 400_000;

/// Counts, and gives what the page holds then of it: numbers, and marks of lines that are missing.
async function count(page: Page): Promise<ReturnType<typeof countedLines>> {
  await page.keyboard.type(`seq 1 ${kLines}; echo do''ne`);
  await page.keyboard.press("Enter");
  await seen(page, /^done$/m);
  return countedLines((await wholeText(page)).join("\n"));
}

/// Every hole is marked, by one line that tells of no less than is missing.
function expectTold(lines: ReturnType<typeof countedLines>): ReturnType<typeof holesIn> {
  const holes = holesIn(lines);
  for (const { after, before, marks } of holes) {
    expect(before, `after ${after}`).toBeGreaterThan(after);
    expect(marks, `between ${after} and ${before}`).toHaveLength(1);
    expect(marks[0], `between ${after} and ${before}`).toBeGreaterThanOrEqual(before - after - 1);
  }
  expect(lines.at(-1)?.number).toBe(kLines);
  return holes;
}

// How many holes there are depends on how fast the page is, which is no matter of right or wrong.
scenario("the end of a long output stands in the scrollback, in order, and each hole in it is marked", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  const holes = expectTold(await count(page));
  expect(kLines - (holes.at(-1)?.before ?? 0)).toBeGreaterThan(24);
});

scenario(
  "at the end of a slow line what is missing of a long output is marked, and its last lines are whole",
  async (stage) => {
    const { proxy, link } = await stage.serve();
    const page = await stage.page(link);
    await prompt(page);
    proxy.rules.rate = 20_000;
    const lines = await count(page);
    proxy.rules.rate = 0;
    const holes = expectTold(lines);
    expect(holes.length).toBeGreaterThan(0);
    expect(lines.filter(({ mark }) => mark !== undefined)).toHaveLength(holes.length);
    expect(kLines - (holes.at(-1)?.before ?? kLines)).toBeGreaterThan(24);
  },
);
