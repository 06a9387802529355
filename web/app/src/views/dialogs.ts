import { element } from "../dom.ts";

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
  /** Empty is an answer as well. */
  readonly mayBeEmpty?: boolean;
  /** UTF-16 units at most. */
  readonly maxLength?: number;
}

interface Question {
  readonly title: string;
  readonly text?: string;
  /** Text of others, set off from the page's own. */
  readonly preview?: string;
  readonly yes: string;
  readonly dangerous?: boolean;
  readonly fields?: readonly Field[];
}

/// Asks in the middle of the page. Gives what was filled in, or nothing when it was cancelled.
export function ask(question: Question): Promise<Record<string, string> | undefined> {
  return new Promise((resolve) => {
    const inputs = (question.fields ?? []).map(inputFor);
    const form = element(
      "form",
      { attributes: { method: "dialog" } },
      element("h2", { text: question.title }),
      question.text !== undefined && element("p", { text: question.text }),
      question.preview !== undefined && element("pre", { class: "preview", text: question.preview }),
      ...inputs.map(({ row }) => row),
      buttons(question),
    );
    const dialog = element("dialog", { class: "dialog", attributes: { "aria-label": question.title } }, form);
    dialog.addEventListener("close", () => {
      dialog.remove();
      const filled = inputs.map(({ name, input }) => [name, input.value.trim()] as const);
      resolve(dialog.returnValue === "yes" ? Object.fromEntries(filled) : undefined);
    });
    document.body.append(dialog);
    dialog.showModal();
    inputs[0]?.input.select();
  });
}

export async function confirm(question: Question): Promise<boolean> {
  return (await ask(question)) !== undefined;
}

/// Something to read.
export function showPage(title: string, content: HTMLElement): void {
  const close = element("button", { class: "button", text: "Close", attributes: { value: "yes" } });
  const form = element(
    "form",
    { attributes: { method: "dialog" } },
    element("h2", { text: title }),
    content,
    element("div", { class: "dialog-buttons" }, close),
  );
  const dialog = element("dialog", { class: "dialog", attributes: { "aria-label": title } }, form);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function buttons(question: Question): HTMLElement {
  const kind = question.dangerous ? "button danger" : "button primary";
  const yes = element("button", { class: kind, text: question.yes, attributes: { value: "yes", autofocus: "" } });
  // No submit button: Enter in a field presses the first of those.
  const cancel = (event: MouseEvent) => (event.currentTarget as HTMLElement).closest("dialog")?.close();
  const no = element("button", {
    class: "button",
    text: "Cancel",
    attributes: { type: "button" },
    on: { click: cancel },
  });
  return element("div", { class: "dialog-buttons" }, no, yes);
}

function inputFor(field: Field): { name: string; row: HTMLElement; input: HTMLInputElement } {
  const attributes = { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", name: field.name };
  const input = element("input", { attributes });
  input.required = !field.mayBeEmpty;
  if (field.maxLength !== undefined) input.maxLength = field.maxLength;
  input.value = field.value;
  const hint = field.hint === undefined ? undefined : element("small", { text: field.hint });
  return { name: field.name, row: element("label", {}, element("span", { text: field.label }), input, hint), input };
}
