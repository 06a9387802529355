import { type Access, tokenIn } from "../access.ts";
import { element } from "../dom.ts";

/// Asks for the token when the server does not know this browser.
export class SignIn {
  readonly element: HTMLElement;
  private readonly input = element("input", {
    attributes: {
      type: "password",
      name: "token",
      "aria-label": "Token",
      autocomplete: "current-password",
      required: "",
    },
  });
  private readonly problem = element("p", { class: "problem", attributes: { role: "alert" } });

  constructor(private readonly logIn: (token: string) => Promise<Access>) {
    const form = element(
      "form",
      { on: { submit: (event) => void this.submit(event) } },
      element("h1", { text: "Sign in" }),
      element("p", { text: "Open the address that the server printed, or paste its token here." }),
      this.input,
      this.problem,
      element("button", { class: "button primary", text: "Sign in", attributes: { type: "submit" } }),
    );
    this.element = element("main", { class: "sign-in", hidden: true }, form);
  }

  show(problem?: string): void {
    this.problem.textContent = problem ?? "";
    if (!this.element.hidden) return;
    this.element.hidden = false;
    this.input.focus();
  }

  hide(): void {
    this.element.hidden = true;
    this.input.value = "";
  }

  /// Logs in with `token`, and says why where that fails.
  async enter(token: string): Promise<void> {
    this.problem.textContent = "";
    const access = await this.logIn(token);
    if (access === "denied") this.problem.textContent = "The server does not accept this token.";
    if (access === "unknown") this.problem.textContent = "The server could not be reached.";
  }

  private submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    return this.enter(tokenIn(this.input.value));
  }
}
