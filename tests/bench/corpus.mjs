// The commands of execute_corpus, and the facts of the shells about them. Each was found out without a server.
//
// A file holds groups: `shells` says which shells a group's rows are for; `why`, why not for others. A row:
//
//   do                  the command. It runs in the folder `.`, which has the files of files.json, behind the rows above it
//   code (0)            it ends with, or "any"
//   dir (".")           it leaves the shell in, seen from that folder, or "any". Behind another one than `.` comes a `cd` back
//   closed (false)      it ends the shell: the next row begins in a new one
//   out, like           its output is this; matches this regular expression
//   shells, why         fewer shells than the group's
//   bash zsh fish dash  members that take the place of the row's own there, with the reason (`why`)
//
// sh is dash on one system and bash on another: it runs no row that is otherwise in dash.
import fs from 'node:fs';
import path from 'node:path';

const FOLDER = new URL('execute_corpus/', import.meta.url);
const SHELLS = ['bash', 'zsh', 'fish', 'dash', 'sh'];
const OVERRIDES = ['bash', 'zsh', 'fish', 'dash'];
const POSIX = SHELLS.filter((shell) => shell !== 'fish');
const EXPECTED = ['do', 'code', 'dir', 'closed', 'out', 'like', 'why'];
const GROUP = ['group', 'shells', 'why', 'rows'];

const read = (name) => JSON.parse(fs.readFileSync(new URL(name, FOLDER), 'utf8'));
const files = read('files.json');
const groups = ['everywhere', 'posix', 'bash', 'zsh', 'dash', 'fish'].flatMap((name) => read(`${name}.json`));

const shellsOf = (group, row) => (row.shells ?? group.shells).split(' ');
const all = groups.flatMap((group) => group.rows.map((row) => ({ group, row, shells: shellsOf(group, row) })));

export const commands = all.length;

function isFor({ row, shells }, shell) {
  return shells.includes(shell) && !(shell === 'sh' && row.dash);
}

/** The rows of a shell in their order, each as it is there. */
export function rowsOf(shell) {
  const own = ({ group, row }) => ({ group: group.group, code: 0, dir: '.', closed: false, ...row, ...row[shell] });
  return all.filter((each) => isFor(each, shell)).map(own);
}

/** Puts the files into a fresh folder. A text that begins with `#!` may be executed. */
export function furnish(folder) {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
  }
}

/** Faults of the names of members, and differences without a reason. */
function faultsOf({ group, row, shells }) {
  const own = OVERRIDES.filter((shell) => row[shell]);
  const foreign = [...own.flatMap((shell) => Object.keys(row[shell])), ...Object.keys(row).filter((key) => !own.includes(key) && key !== 'shells')];
  const said = [
    [foreign.some((key) => !EXPECTED.includes(key)), 'has a member that there is not'],
    [typeof row.do !== 'string' || row.do === '', 'has no command'],
    [shells.some((shell) => !SHELLS.includes(shell)), 'is for a shell that there is not'],
    [own.some((shell) => !shells.includes(shell) || !row[shell].why), 'is otherwise in a shell without a reason, or in one that it is not for'],
    [POSIX.some((shell) => !shells.includes(shell)) && !row.why && !group.why, 'is not for all shells, without a reason'],
    [[row, ...own.map((shell) => row[shell])].some(({ like }) => like && !isPattern(like)), 'has no regular expression'],
  ];
  return said.filter(([isSo]) => isSo).map(([, text]) => `${group.group}: ${JSON.stringify(row.do)} ${text}`);
}

function isPattern(text) {
  try {
    return Boolean(new RegExp(text, 'm'));
  } catch {
    return false;
  }
}

/** A command may come again where its state differs, which its group or what it expects tells. */
function repeated() {
  const seen = new Set();
  return all.flatMap(({ group, row }) => {
    const is = JSON.stringify([group.group, row.do, row.code, row.out, row.closed]);
    return seen.has(is) ? [`${group.group}: ${JSON.stringify(row.do)} comes again`] : void seen.add(is) ?? [];
  });
}

/** Commands that differ in more than their numbers and blanks. */
export const distinct = new Set(all.map(({ row }) => row.do.replace(/\d+/g, '0').replace(/\s+/g, ' '))).size;

/** Faults of the data, as sentences. */
export function faults() {
  const unknown = groups.filter((group) => Object.keys(group).some((key) => !GROUP.includes(key)));
  return [...unknown.map(({ group }) => `${group} has a member that there is not`), ...all.flatMap(faultsOf), ...repeated()];
}
