import { isAgents } from "./program.ts";
import { confirm } from "./views/dialogs.ts";
import { labelOf, stateOf, type Entry } from "./workspace.ts";

/// Whether the user agrees to what the end of a terminal ends with it. An idle shell is ended without a question.
export async function mayEnd(entry: Entry): Promise<boolean> {
  const label = `“${labelOf(entry)}”`;
  const ofAgent = `An agent runs ${label}. Stopping ends all its processes and deletes its text.`;
  if (isAgents(entry)) return confirm({ title: "Stop this program?", text: ofAgent, yes: "Stop it", dangerous: true });
  const text = `${label} is ${stateOf(entry)}. Ending it stops every process in it.`;
  return !entry.busy || confirm({ title: "End this terminal?", text, yes: "End it", dangerous: true });
}

/// The same for a new shell in its place.
export async function mayRestart(entry: Entry | undefined): Promise<boolean> {
  const text = "Restarting stops every process in it and deletes its text.";
  return !entry?.busy || confirm({ title: "Restart this terminal?", text, yes: "Restart", dangerous: true });
}
