import type { OpenOptions, PtydError } from "../../client/src/index.ts";
import type { Refusal } from "./refusal.ts";
import type { TypeAhead } from "./type_ahead.ts";

/// The question to the server for one terminal: to attach to it, or to start a shell. One at a time: what a second one
/// gives would be shown below the first.
export class Asking {
  private kind: "attach" | "start" | undefined;
  private wantsShell = false;

  constructor(
    private readonly input: Pick<TypeAhead, "hold" | "refuse">,
    /** Shows what the server gives. */
    private readonly take: (request: OpenOptions) => Promise<void>,
  ) {}

  get isUnderWay(): boolean {
    return this.kind !== undefined;
  }

  /// Input from now on is for what is asked for.
  async once(request: OpenOptions): Promise<Refusal | undefined> {
    if (this.isUnderWay) return undefined;
    this.kind = request.attach ? "attach" : "start";
    this.wantsShell = false;
    this.input.hold();
    try {
      await this.take(request);
      this.wantsShell = false;
      return undefined;
    } catch (error) {
      return { error: error as PtydError, lost: this.wantsShell ? "" : this.input.refuse(error as PtydError) };
    } finally {
      this.kind = undefined;
    }
  }

  /// A shell is wanted where the attach that is under way is refused; it then has the input.
  wantShell(): void {
    this.wantsShell = this.kind === "attach";
  }

  /// Whether it is still to be started.
  get owesShell(): boolean {
    return this.wantsShell && !this.isUnderWay;
  }
}
