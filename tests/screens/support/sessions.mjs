// Sessions that are recorded: each takes a test's context and gives a Program that has ended.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { folder, Program } from "./program.mjs";

const kSource = `#include <stdio.h>
/* A program with a fault, for the compiler to point at. */
struct point { int x, y; };
static int distance(const struct point *a, const struct point *b) {
  return (a->x - b->x) * (a->x - b->x) + (a->y - b->z) * (a->y - b->y);
}
int main(int count, char **values) {
  struct point here = {1, 2}, there = {"three", 4};
  for (int i = 0; i < 100; i++) printf("%s %d\\n", i, distance(&here, &there);
  return unknown;
}
`;

const kTorture = [
  "\ufeffStarts with a byte order mark",
  "combining: e\u0301 n\u0303 a\u0308\u0304 \u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd \u0928\u092e\u0938\u094d\u0924\u0947 \u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35",
  "wide: 漢字かな交じり文 한국어 ＦＵＬＬ ｶﾅ 中文字符測試 ".repeat(6),
  "emoji: 👍🏽 👨‍👩‍👧‍👦 🏳️‍🌈 ❤️ ❤ ⌚︎ ☝🏿 1️⃣ 🇩🇪🇫🇷🇬🇧🇯 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 🧑‍💻 ".repeat(5),
  "Hangul in parts: \u1112\u1161\u11ab\u1100\u1173\u11af",
  "\u0301 begins with a mark",
  "boxes: ┌─┬─┐│├┼┤└┴┘╔═╗║╚╝░▒▓█▀▄ ⠿⡇⣿  ",
  "invisible: a\u200bb\u200cc\u200dd\u2060e\u00adf\u034fg\u061ch",
  "ambiguous: ±×÷§°αβγ←↑→↓①②③♠♣♥♦★☆",
].join("\n");

const kBroken = Buffer.concat([
  Buffer.from("invalid: "),
  Buffer.from([0xff, 0x20, 0xc0, 0x80, 0x20, 0xe6, 0xbc, 0x20, 0xf0, 0x9f, 0x98, 0x20, 0xed, 0xa0, 0x80, 0x20]),
  Buffer.from([0xf4, 0x90, 0x80, 0x80, 0x20, 0x80, 0xbf, 0x0a, 0xe2, 0x0a, 0xf0, 0x9f, 0x1b, 0x5b, 0x31, 0x6d, 0x0a]),
]);

const kPage = `.TH PTYD-TEST 1
.SH NAME
ptyd-test \\- a page with \\fBbold\\fR and \\fIitalic\\fR words
.SH DESCRIPTION
${Array.from({ length: 60 }, (_, index) => `.PP\nParagraph-${index} has \\fBbold\\fR, \\fIitalic\\fR and plain words that fill a line and go on in the next one.`).join("\n")}
`;

/// A folder with something to look at.
function workplace(context) {
  const home = folder(context);
  const write = (name, text) => writeFileSync(join(home, name), text);
  write("fault.c", kSource);
  write("torture.txt", Buffer.concat([Buffer.from(`${kTorture}\n`), kBroken]));
  write("page.1", kPage);
  write("long.txt", Array.from({ length: 300 }, (_, line) => `${line}: ${"lorem ipsum 漢字 dolor ".repeat(line % 9)}`).join("\n"));
  write("run.sh", "#!/bin/sh\necho run\n");
  execFileSync("chmod", ["+x", join(home, "run.sh")]);
  return home;
}

async function shell(context, command, options = {}) {
  const program = new Program(context, { argv: ["/bin/sh", "-c", command], home: workplace(context), ...options });
  await program.untilEnd();
  return program;
}

async function vim(context) {
  const home = workplace(context);
  const argv = ["vim", "-u", "NONE", "-N", "-i", "NONE", "-n", "-c", "syntax on | set number hlsearch laststatus=2 ruler", "fault.c"];
  const program = new Program(context, { argv, home });
  await program.until("fault.c");
  await program.script(
    "Onew line: é漢👍🏽\x1b", "漢",
    "/distance\r", /\/distance|search/,
    ":split torture.txt\r", "Starts with",
    "G", "invalid",
    "gg\x06", undefined,
    "\x17j:set list cursorline\r", "$",
    "dd3oinserted\x1b", /inserted[^]*inserted[^]*inserted/,
    "u", undefined,
    ":%s/int/INT/g\r", "INT main",
    ":vsplit long.txt\r", "lorem",
    "50%", "150:",
    ":qa!\r", undefined,
  );
  await program.untilEnd();
  return program;
}

/// No meter of the machine, and three processes of its own: they are all that there is to see.
const kHtopSettings = ["header_layout=two_50_50", "column_meters_0=Blank", "column_meter_modes_0=2", "column_meters_1=Blank", "column_meter_modes_1=2", ""];
const kHtop = `
for i in 1 2 3; do tail -f /dev/null & pids=$pids,$!; done
exec htop --delay=2 --pid="\${pids#,}"`;

async function htop(context) {
  const home = folder(context);
  writeFileSync(join(home, "htoprc"), kHtopSettings.join("\n"));
  const program = new Program(context, { argv: ["/bin/sh", "-c", kHtop], home, env: { HTOPRC: join(home, "htoprc") } });
  await program.until("F10Quit");
  await program.script("\x1bOB\x1bOB", undefined, "t", "F5List", "\x1bOP", "GPLv2", " ", "F10Quit", "\x1b[17~", "PERCENT", "\r", "F10Quit", "q", undefined);
  await program.untilEnd();
  return program;
}

async function less(context) {
  const program = new Program(context, { argv: ["less", "-R", "-N", "long.txt"], home: workplace(context) });
  await program.until("1 0:");
  await program.script(" ", /\b2\d:/, "/9[0-9]: lorem\r", "91: lorem", "n", undefined, "G", "299:", "g", " 0:", "-S\r", undefined, "\x1b[C", undefined, "q", undefined);
  await program.untilEnd();
  return program;
}

async function man(context) {
  const program = new Program(context, { argv: ["man", "-l", "page.1"], home: workplace(context), env: { MANPAGER: "less", GROFF_NO_SGR: "" } });
  await program.until("NAME");
  await program.script(" ", "Paragraph-9 ", "/Paragraph-40\r", "Paragraph-40", "b", undefined, "q", undefined);
  await program.untilEnd();
  return program;
}

async function tmux(context) {
  const home = workplace(context);
  // Keys that come faster than people type would be taken for a paste; a machine has a name and a time of day.
  writeFileSync(join(home, "tmux.conf"), "set -g assume-paste-time 0\nset -g status-right 'on a machine'\n");
  const argv = ["tmux", "-S", join(home, "socket"), "-f", "tmux.conf", "new-session", "exec sh"];
  const program = new Program(context, { argv, home, env: { SHELL: "/bin/sh", PS1: "$ " } });
  await program.until("$");
  await program.script(
    "printf 'le%s\\n' ft; ls --color=always\r", "left",
    "\x02%", (oracle) => oracle.screen().some((row) => row.includes("│")),
    "cat torture.txt; printf 'ri%s\\n' ght\r", "right",
    "\x02\"", (oracle) => oracle.screen().some((row) => row.includes("─")),
    "seq 200; printf 'un%s\\n' der\r", "under",
    "\x02o", (oracle) => oracle.caret()[1] < 40,
    "\x02z", "*Z",
    "\x02[", "[0/",
    "q", (oracle) => !oracle.screen()[0].includes("[0/"),
    "\x02:", (oracle) => oracle.screen().at(-1).startsWith(":"),
    "kill-server\r", undefined,
  );
  await program.untilEnd();
  return program;
}

async function mc(context) {
  const home = workplace(context);
  mkdirSync(join(home, ".config/mc"), { recursive: true });
  // Without the room that is left on the disk, and without a hint of the day.
  writeFileSync(join(home, ".config/mc/ini"), "[Layout]\nfree_space=false\nmessage_visible=false\n");
  const program = new Program(context, { argv: ["mc", "--nosubshell", "-u"], home, env: { MC_SKIN: "default" } });
  await program.until("Quit");
  await program.script(
    "\x1b[4~", undefined,
    "\x1bOR", "byte order mark",
    "\x1b[21~", "Quit",
    "\t", undefined,
    "\x1b[20~", undefined,
    "\r", "Listing format",
    "\x1b[21~", (oracle) => !oracle.screen().join("").includes("Listing format"),
    "\x1b[21~", undefined,
  );
  await program.untilEnd();
  return program;
}

async function dialog(context) {
  const command = [
    "dialog --title 'Títle 漢字' --menu 'Choose one' 15 50 5 a Ärger b 漢字 c 'wide 👍🏽'",
    "dialog --checklist 'Several' 12 40 4 1 one off 2 two on 3 three off",
    "for i in 10 40 70 100; do echo $i; done | dialog --gauge 'Doing' 8 50 0",
    "dialog --msgbox 'The end of it' 8 30",
  ].join("; ");
  const program = new Program(context, { argv: ["/bin/sh", "-c", command], home: folder(context) });
  await program.until("Choose one");
  await program.script("\x1b[B\x1b[B\r", "Several", " \x1b[B \r", "The end of it", "\r", undefined);
  await program.untilEnd();
  return program;
}

async function nano(context) {
  const program = new Program(context, { argv: ["nano", "-x", "--ignorercfiles", "fault.c"], home: workplace(context) });
  await program.until("printf");
  await program.script("typed é漢 ", "typed é漢", "\x17distance\r", undefined, "\x0b\x0b", undefined, "\x1b[6~", undefined, "\x18", /[Ss]ave modified/, "n", undefined);
  await program.untilEnd();
  return program;
}

async function bash(context) {
  const program = new Program(context, { argv: ["bash", "--norc", "--noprofile", "-i"], home: workplace(context), env: { PS1: "\\[\\e[1;32m\\]\\w\\[\\e[0m\\]> " } });
  await program.until("~>");
  await program.script(
    "echo a long command that goes beyond the edge of the screen, so that readline has to wrap it by itself é漢", "é漢",
    "\x01\x1bf\x1bf\x0b", undefined,
    "\x15echo fir''st\r", /^first\n~>$/m, // what is typed before the prompt stands, the kernel's line discipline takes
    "\x1b[A\x1b[A\x1b[B", undefined,
    "\x12fir\r", /^first\n[^]*^first\n~>$/m,
    "ls --color=always -la\r", "run.sh",
    "exit\r", undefined,
  );
  await program.untilEnd();
  return program;
}

async function fish(context) {
  const program = new Program(context, { argv: ["fish", "--no-config", "--private"], home: workplace(context) });
  await program.until("~");
  await program.script("echo fir''st", "fir''st", "\r", /\nfirst/, "ls lo\t", "long.txt", "\r", /\nlong\.txt/, "cat no", "cat no", "\x15", (oracle) => !oracle.screen().at(-1).includes("cat no"), "exit\r", undefined);
  await program.untilEnd();
  return program;
}

/// The way of apt: a bar in the last row, outside the margins, and a log that scrolls above it.
const kApt = `
printf '\\0337\\033[0;23r\\0338\\033[1A'
i=0; while [ $i -le 50 ]; do i=$((i+1)); printf 'Unpacking package-%d (1.0-%d) ...\\r\\n' $i $i
printf '\\0337\\033[24;0f\\033[42m\\033[30mProgress: [%3d%%]\\033[49m\\033[39m [' $((i*2)); head -c $i /dev/zero | tr '\\0' '#'; printf ']\\0338'; done
printf '\\0337\\033[0;24r\\0338\\033[1A\\033[J'; echo done`;

/// The way of npm and cargo: a line that is written again and again, with a log that appears above it.
const kSpinner = `
i=0; for s in ⠋ ⠙ ⠹ ⠸ ⠼ ⠴ ⠦ ⠧ ⠇ ⠏; do i=$((i+1)); printf '\\033[?25l\\r\\033[K\\033[36m%s\\033[39m reify:package-%d: \\033[2mtiming\\033[22m' $s $i
[ $((i % 3)) = 0 ] && printf '\\r\\033[K\\033[1m\\033[32m   Compiling\\033[0m thing v0.%d\\r\\n' $i; done
printf '\\r\\033[K\\033[?25hadded 12 packages\\r\\n'
printf 'one\\r\\ntwo\\r\\nthree\\r\\n\\033[3A\\033[2K1\\033[1B\\r\\033[2K2\\033[1B\\r\\033[2K3\\033[1B\\r'`;

async function downloads(context) {
  const body = Buffer.alloc(3_000_000, "x");
  const server = createServer((_, response) => response.end(body)).listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  context.after(() => server.close());
  const url = `http://127.0.0.1:${server.address().port}/file`;
  const env = { no_proxy: "*" };
  return shell(context, `wget -O /dev/null ${url}; curl -o /dev/null ${url}; curl -# -o /dev/null ${url}; head -c 3000000 /dev/zero | pv -s 3000000 >/dev/null`, { env });
}

const kDay = "2026-01-02T03:04:05Z";
const kGit = `
git init -q . && git add fault.c run.sh && git -c user.name=N -c user.email=e@x commit -q -m 'One: é漢' &&
sed -i 's/distance/laenge/; 5d' fault.c && git --no-pager -c color.ui=always diff --word-diff=color &&
git --no-pager -c color.ui=always diff --color-moved && git -c color.ui=always status &&
git --no-pager -c color.ui=always log --graph --stat`;

const kNinja = `
printf 'rule cc\\n command = gcc -fdiagnostics-color=always -Wall -c $in -o $out\\n description = CC $in\\nbuild a.o: cc a.c\\nbuild b.o: cc b.c\\nbuild c.o: cc fault.c\\n' >build.ninja
printf 'int a(void) { int unused; return 0; }\\n' >a.c; printf 'int b(void) { return 1; }\\n' >b.c; CLICOLOR_FORCE=1 ninja -j1 -k0`;

const kCmake = `
printf 'cmake_minimum_required(VERSION 3.20)\\nproject(x NONE)\\nmessage(WARNING "a warning")\\nadd_custom_target(y ALL COMMAND echo made)\\n' >CMakeLists.txt
CLICOLOR_FORCE=1 cmake -G 'Unix Makefiles' -B out . ; CLICOLOR_FORCE=1 cmake --build out`;

/// Output that is no flood, and more lines than a scrollback holds: with looks of their own, and on a ground that stays.
const kMixed = `
ls --color=always -la; printf '\\033[1;32mgreen\\033[K\\n'; cat torture.txt
i=0; while [ $i -lt 300 ]; do i=$((i+1)); printf '\\033[2m[%d]\\033[0m \\033[3%dmBuilding\\033[0m 漢字 %d\\n' $i $((i % 8)) $i; done`;
const green = (count) => `seq -f "$(printf '\\033[32m')line %g$(printf '\\033[0m') is green in part" ${count}`;
const kBlue = `printf '\\033[44m'; seq -f 'on blue %g, which is a line that goes on in the next row, as it has more than eighty columns' 9000; printf '\\033[0m'`;

/// name -> what records it.
export const kSessions = {
  vim,
  htop,
  less,
  man,
  tmux,
  mc,
  dialog,
  nano,
  bash,
  fish,
  "gcc diagnostics": (context) => shell(context, "gcc -fdiagnostics-color=always -Wall -c fault.c"),
  "a ninja build": (context) => shell(context, kNinja),
  "a cmake build": (context) => shell(context, kCmake),
  "ls --color": (context) => shell(context, "ls --color=always -la --hyperlink=always; mkdir many; cd many; touch $(seq -f '%.0f-é漢' 99 7 2000); chmod +x 9*; ls --color=always -C"),
  git: (context) => shell(context, kGit, { env: { GIT_AUTHOR_DATE: kDay, GIT_COMMITTER_DATE: kDay, GIT_CONFIG_NOSYSTEM: "1" } }),
  "a bar like apt's": (context) => shell(context, kApt),
  "a spinner like npm's": (context) => shell(context, kSpinner),
  "downloads that show progress": downloads,
  "UTF-8 torture": (context) => shell(context, "cat torture.txt; cat torture.txt | tr '\\n' ' '"),
  "UTF-8 torture in 13 columns": (context) => shell(context, "cat torture.txt", { rows: 10, cols: 13 }),
};

/// The same, of which most is pushed out of the scrollback again.
export const kFloods = {
  "a flood of lines": (context) => shell(context, `${kMixed}; ${green(20000)}; printf end`),
  "a flood of coloured lines": (context) => shell(context, `${green(20000)}; ${kBlue}; printf end`),
};
