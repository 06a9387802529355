import { expect, test } from "vitest";
import { namesOf } from "../src/names.ts";

const named = (key: string, change: { givenName?: string; title?: string; process?: string; cwd?: string }) => ({
  key,
  givenName: "",
  title: "",
  process: "bash",
  cwd: "/home/me",
  ...change,
});

const names = (...changes: Parameters<typeof named>[1][]) => [
  ...namesOf(changes.map((change, index) => named(String(index), change))).values(),
];

test("a terminal is called by its title, else by its program and folder", () => {
  expect(names({ title: "build" }, { process: "vim", cwd: "/srv/app" })).toEqual(["build", "vim · app"]);
  expect(names({ process: "", cwd: "/srv/app" })).toEqual(["app"]);
  expect(names({ cwd: "/" })).toEqual(["bash · /"]);
});

test("a name that people gave stands before all others, and tells its folder where it is not the only one", () => {
  expect(names({ givenName: "build", title: "make" }, {})).toEqual(["build", "bash · me"]);
  expect(names({ givenName: "api", cwd: "/a" }, { givenName: "api", cwd: "/b" })).toEqual(["api · /a", "api · /b"]);
});

test("those that would be called alike tell their whole path", () => {
  expect(names({ cwd: "/a/src" }, { cwd: "/b/src" }, { cwd: "/etc" })).toEqual([
    "bash · /a/src",
    "bash · /b/src",
    "bash · etc",
  ]);
  expect(names({ title: "make", cwd: "/a" }, { title: "make", cwd: "/b" })).toEqual(["make · /a", "make · /b"]);
});

test("those in one folder are numbered in their order", () => {
  expect(names({}, {}, {})).toEqual(["bash · /home/me", "bash · /home/me (2)", "bash · /home/me (3)"]);
});
