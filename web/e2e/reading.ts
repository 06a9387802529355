import type { Page } from "playwright-core";
import { expect } from "vitest";
import { kPatience } from "./stage.ts";

/// The visible text of the terminal in front.
export async function screen(page: Page): Promise<string> {
  return (await page.evaluate(() => window.ptyd.screenText())).join("\n");
}

/// All its lines, those scrolled away too, without the empty ones at the end.
export async function wholeText(page: Page): Promise<string[]> {
  const lines = await page.evaluate(() => window.ptyd.wholeText());
  return lines.join("\n").trimEnd().split("\n");
}

/// Waits until the visible text holds `wanted`.
export async function seen(page: Page, wanted: string | RegExp): Promise<void> {
  const [source, flags] = typeof wanted === "string" ? [escape(wanted), ""] : [wanted.source, wanted.flags];
  const look = ([source, flags]: readonly [string, string]) =>
    new RegExp(source, flags).test(window.ptyd?.screenText().join("\n").trimEnd() ?? "");
  await page.waitForFunction(look, [source, flags] as const, { timeout: kPatience }).catch((error: unknown) => {
    throw new Error(`${String(wanted)} did not appear: ${String(error)}`);
  });
}

/// Waits for the shell to wait for a command.
export function prompt(page: Page): Promise<void> {
  return seen(page, /(^|\n)[^\n]*[#$]$/);
}

/// Types a line and waits for what it prints. Write it so that the echo of the line does not match.
export async function run(page: Page, line: string, wanted: string | RegExp): Promise<void> {
  await page.keyboard.type(line);
  await page.keyboard.press("Enter");
  await seen(page, wanted);
}

/// Output of a command, taken from between two marks.
export async function output(page: Page, command: string): Promise<string> {
  const mark = `m${Math.random().toString(36).slice(2, 8)}`;
  await run(page, `clear; echo ${mark}'<'; ${command}; echo ${mark}'>'`, `${mark}>`);
  const text = await screen(page);
  return text.slice(text.indexOf(`${mark}<`) + mark.length + 1, text.indexOf(`${mark}>`)).trim();
}

/// Waits until the program knows the size that the page shows, and gives it.
export async function agreedSize(page: Page): Promise<{ cols: number; rows: number }> {
  const sizes = async () => {
    const shown = await page.evaluate(() => window.ptyd.screenSize());
    return { shown, told: await output(page, "stty size") };
  };
  let agreed = { cols: 0, rows: 0 };
  const agree = ({ shown, told }: Awaited<ReturnType<typeof sizes>>) => {
    agreed = shown;
    return told === `${shown.rows} ${shown.cols}`;
  };
  await expect.poll(sizes).toSatisfy(agree);
  return agreed;
}

/// Pixels of a picture that differ from its most frequent colour, and how many different colours there are.
export interface Ink {
  readonly ink: number;
  readonly colours: number;
}

export async function inkOf(page: Page, png: Buffer): Promise<Ink> {
  const blank = await page.context().newPage();
  const result = await blank.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d") as OffscreenCanvasRenderingContext2D;
    context.drawImage(bitmap, 0, 0);
    const pixels = new Uint32Array(context.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer);
    const counts = new Map<number, number>();
    for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
    return { ink: pixels.length - Math.max(...counts.values()), colours: counts.size };
  }, png.toString("base64"));
  await blank.close();
  return result;
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/// The name of the element that has the focus.
export const focused = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    return at?.getAttribute("aria-label") ?? at?.getAttribute("title") ?? at?.textContent ?? "";
  });
