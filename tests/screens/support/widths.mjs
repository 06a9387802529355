// The page's own provider of widths, so that the oracle counts as the page and the server do.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import ts from "typescript";

const kSource = new URL("../../../web/app/src/", import.meta.url);
const kOut = new URL("../out/", import.meta.url);

function transpile(name) {
  const { outputText } = ts.transpileModule(readFileSync(new URL(`${name}.ts`, kSource), "utf8"), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 },
  });
  const imports = outputText.replace(/from "\.\/([\w.]+)\.ts"/g, 'from "./$1.mjs"');
  // Test files run beside each other: each sees a whole one, whoever wrote it.
  const own = new URL(`${name}.${process.pid}.mjs`, kOut);
  writeFileSync(own, imports);
  renameSync(own, new URL(`${name}.mjs`, kOut));
}

mkdirSync(kOut, { recursive: true });
for (const name of ["widths.gen", "widths"]) transpile(name);
export const { useOurWidths } = await import(new URL("widths.mjs", kOut));
