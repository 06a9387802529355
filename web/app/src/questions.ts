import { shownText } from "./plain.ts";
import { isAgents, wholeCommand } from "./program.ts";
import { ask, confirm } from "./views/dialogs.ts";
import { labelOf, stateOf, type Entry } from "./entry.ts";

/// Whether the user agrees to what the end of a terminal ends with it. An idle shell is ended without a question.
export async function mayEnd(entry: Entry): Promise<boolean> {
  const label = `“${labelOf(entry)}”`;
  const command = `“${wholeCommand(entry.program)}”`;
  const ran = command === label ? command : `${command}, named ${label}`;
  const ofAgent = `An agent runs ${ran}. Stopping ends all its processes and deletes its text.`;
  if (isAgents(entry)) return confirm({ title: "Stop this program?", text: ofAgent, yes: "Stop it", dangerous: true });
  const text = `${label} is ${stateOf(entry)}. Ending it stops every process in it.`;
  return !entry.busy || confirm({ title: "End this terminal?", text, yes: "End it", dangerous: true });
}

/// The same for a new shell in its place.
export async function mayRestart(entry: Entry | undefined): Promise<boolean> {
  const text = "Restarting stops every process in it and deletes its text.";
  return !entry?.busy || confirm({ title: "Restart this terminal?", text, yes: "Restart", dangerous: true });
}

/// Of a paste that is shown before it is agreed to: lines, and UTF-16 units of each.
const kPreview = { lines: 6, length: 120 } as const;

/// The same for a paste of so many lines into a program that takes them one by one.
export function mayRunLines(lines: number, pasted: string): Promise<boolean> {
  const text =
    "The program in this terminal does not tell pasted text from typed text: each line may be run at once.";
  const title = `Paste ${lines} lines, ${pasted.length} characters?`;
  return confirm({ title, text, preview: previewOf(pasted), yes: "Paste" });
}

export function previewOf(pasted: string): string {
  const lines = pasted.split(/\r\n|\r|\n/, kPreview.lines + 1);
  const shown = lines.slice(0, kPreview.lines).map((line) => indentOf(line) + shownText(line, kPreview.length));
  return [...shown, ...(lines.length > kPreview.lines ? ["…"] : [])].join("\n");
}

function indentOf(line: string): string {
  return " ".repeat(Math.min(line.search(/[^ \t]|$/), kPreview.length / 2));
}

/// The name and the folder of a new thread, which `names` have not yet.
export async function askForThread(
  names: readonly string[],
  cwd: string,
): Promise<{ name: string; cwd: string } | undefined> {
  let number = names.length + 1;
  while (names.includes(`thread-${number}`)) number += 1;
  const fields = [
    { name: "name", label: "Name", value: `thread-${number}` },
    { name: "cwd", label: "Folder", value: cwd, hint: "The shell starts in this folder of the server." },
  ];
  const answer = await ask({ title: "New thread", yes: "Create", fields });
  return answer && { name: answer.name as string, cwd: answer.cwd as string };
}

/// Of a terminal's name, as the server takes it.
const kMaxName = 128;

/// The name that `entry` is to have; "" for none of its own.
export async function askForName(entry: Entry): Promise<string | undefined> {
  const hint = "The server keeps it, for everybody. Without a name the terminal goes by its title, or its program.";
  const field = { name: "name", label: "Name", value: entry.givenName, hint, mayBeEmpty: true, maxLength: kMaxName };
  const answer = await ask({ title: `Rename “${labelOf(entry)}”`, yes: "Rename", fields: [field] });
  return answer?.name;
}
