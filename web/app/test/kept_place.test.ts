import { describe, expect, test } from "vitest";
import { placeOf } from "../src/kept_place.ts";

describe("what is looked at when lines came in between", () => {
  const all = ["a", "b", "hole 1", "hole 2", "c", "d", "b", "c"];

  test("stays as far from the end as it was", () => {
    expect(placeOf(["c", "d"], 4, all)).toBe(4);
    expect(placeOf(["b", "c"], 2, all)).toBe(6);
  });

  test("is found where the same text is, the nearest first", () => {
    expect(placeOf(["a", "b"], 6, all)).toBe(0);
    expect(placeOf(["b"], 4, all)).toBe(6);
  });

  test("is nowhere when its text is gone", () => {
    expect(placeOf(["[skipped]"], 4, all)).toBeUndefined();
    expect(placeOf(["c", "d", "b", "c", "e"], 4, all)).toBeUndefined();
    expect(placeOf(["a"], 3, [])).toBeUndefined();
  });
});
