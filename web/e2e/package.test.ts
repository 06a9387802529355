import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { scenario, type Stage } from "./stage.ts";

const web = fileURLToPath(new URL("../", import.meta.url));
const packageFolder = path.join(web, "client");
const example = path.join(packageFolder, "examples/run.mjs");

interface Ran {
  readonly code: unknown;
  readonly said: string;
}

function run(folder: string, program: string, ...words: string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(program, words, { cwd: folder }, (error, out, errors) =>
      resolve({ code: error ? error.code : 0, said: out + errors }),
    );
  });
}

/// A program's folder with the client installed as its README says, and `ws` as npm would install it.
async function appWithClient(stage: Stage): Promise<string> {
  const app = mkdtempSync(path.join(os.tmpdir(), "ptyd-app-"));
  stage.atEnd(() => rmSync(app, { recursive: true, force: true }));
  writeFileSync(path.join(app, "package.json"), JSON.stringify({ name: "app", private: true, type: "module" }));
  const installed = await run(app, "npm", "install", "--offline", "--no-audit", "--no-fund", packageFolder);
  expect(installed, installed.said).toMatchObject({ code: 0 });
  mkdirSync(path.join(app, "node_modules/@types"), { recursive: true });
  for (const name of ["ws", "@types/ws", "@types/node"])
    symlinkSync(path.join(web, "node_modules", name), path.join(app, "node_modules", name));
  cpSync(example, path.join(app, "run.mjs"));
  return app;
}

scenario("client: the package installs from its folder, and its example runs and has types", async (stage) => {
  const server = await stage.start({ args: [] });
  const app = await appWithClient(stage);
  const address = `http://127.0.0.1:${server.port}/`;
  const ran = await run(app, process.execPath, "run.mjs", address, server.token, "echo he''llo; (exit 7)");
  expect(ran.said).toMatch(/^hello\r?$/m);
  expect(ran.code).toBe(7);
  const tsc = path.join(web, "node_modules/typescript/bin/tsc");
  const strict = ["--strict", "--noEmit", "--allowJs", "--checkJs", "--target", "es2022", "--module", "nodenext"];
  const checked = await run(app, process.execPath, tsc, ...strict, "run.mjs");
  expect(checked, checked.said).toMatchObject({ code: 0 });
});

scenario("client: README shows the example as it is", async () => {
  const readme = readFileSync(path.join(packageFolder, "README.md"), "utf8");
  expect(readme).toContain("```js\n" + readFileSync(example, "utf8") + "```\n");
});

scenario("client: the package has the server's version", async () => {
  const { version } = JSON.parse(readFileSync(path.join(packageFolder, "package.json"), "utf8")) as { version: string };
  expect(readFileSync(path.join(web, "../CMakeLists.txt"), "utf8")).toContain(`project(ptyd VERSION ${version} `);
});
