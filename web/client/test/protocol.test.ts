import { expect, test } from "vitest";
import { types, writtenTypes } from "../scripts/generate.mjs";

test("protocol.gen.ts is what the schema says (else: npm run generate)", async () => {
  expect(writtenTypes()).toBe(await types());
});
