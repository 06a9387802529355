// Writes client/src/protocol.gen.ts from the schema that the server prints. `types()` is what the test compares.
import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile } from "json-schema-to-typescript";

const schemaFile = new URL("../../../protocol/terminal.schema.json", import.meta.url);
const typesFile = new URL("../src/protocol.gen.ts", import.meta.url);

/** A reference without its notes: they would make a second type of the same shape. */
function bareReferences(key, value) {
  return typeof value?.$ref === "string" ? { $ref: value.$ref } : value;
}

/** The list of events that are told to those that ask for them. */
function features(schema) {
  const names = schema.$defs.OpenParams.properties.features.items.enum;
  const lines = names.map((name) => `  ${JSON.stringify(name)},\n`).join("");
  return `/**\n * Event types beyond the reference's.\n */
export const kFeatures: NonNullable<OpenParams["features"]> = [\n${lines}];\n`;
}

/** The types that the schema stands for, as TypeScript. */
export async function types() {
  const schema = JSON.parse(readFileSync(schemaFile, "utf8"), bareReferences);
  const text = await compile(schema, "TerminalMethods", {
    additionalProperties: false,
    bannerComment: "/* Generated from protocol/terminal.schema.json by `npm run generate`. */",
    ignoreMinAndMaxItems: true,
    unreachableDefinitions: true,
    style: { printWidth: 120 },
  });
  // Where a type comes from is in its name already.
  const origin = / \* This interface was referenced by `TerminalMethods`'s JSON-Schema\n \* via the .*\n/g;
  return text.replace(origin, "").replace(/ \*\n \*\//g, " */").replace(/\/\*\*\n \*\/\n/g, "") + features(schema);
}

/** The types as they are written down at present. */
export function writtenTypes() {
  return readFileSync(typesFile, "utf8");
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  writeFileSync(typesFile, await types());
}
