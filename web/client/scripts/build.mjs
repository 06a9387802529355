// Compiles src/ to dist/: JavaScript and declarations, which is what an installed package holds. npm runs it as `prepare`.
// The compiler is the one of web/ where that is installed; otherwise npx fetches the same version.
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../", import.meta.url));
const options = ["-p", "tsconfig.build.json"];

/** The command line of the compiler. */
function compiler() {
  try {
    return [process.execPath, createRequire(import.meta.url).resolve("typescript/bin/tsc")];
  } catch {
    const { dependencies } = JSON.parse(readFileSync(`${folder}../package.json`, "utf8"));
    return ["npx", "--yes", "--package", `typescript@${dependencies.typescript}`, "tsc"];
  }
}

rmSync(`${folder}dist`, { recursive: true, force: true });
const [program, ...before] = compiler();
execFileSync(program, [...before, ...options], { cwd: folder, stdio: "inherit" });
copyFileSync(`${folder}../../LICENSE`, `${folder}dist/LICENSE`);
