import { Emitter } from "../../client/src/emitter.ts";
import type { Appearance } from "./appearance.ts";
import { element } from "./dom.ts";
import { formatPlace, type Place } from "./route.ts";
import type { Settings } from "./settings.ts";
import { TerminalView, type Opening } from "./terminal_view.ts";
import type { ViewHost } from "./view_host.ts";
import { keyOf } from "./entry.ts";

/// Screens that keep their graphics context: going to and fro between these is fast. Browsers allow about sixteen, to all
/// pages together.
const kWithGraphics = 6;

/// The terminals that this page shows as tabs, at most one of them in front; the address names that one.
///
/// Owns    the views.
export class OpenTerminals {
  readonly element = element("main", { class: "terminals" });
  /// Another one came, went, or is in front.
  readonly onChange = new Emitter<[]>();
  private readonly views = new Map<string, TerminalView>();
  private frontKey: string | undefined;
  /// Of those that were in front, the last one last.
  private recent: string[] = [];

  constructor(private readonly host: ViewHost) {}

  get activeKey(): string | undefined {
    return this.frontKey;
  }

  get active(): TerminalView | undefined {
    return this.frontKey === undefined ? undefined : this.views.get(this.frontKey);
  }

  get places(): Place[] {
    return [...this.views.values()].map((view) => view.place);
  }

  /// Puts the terminal in front and attaches to it, if that has not happened yet; for one that is gone the server is
  /// asked again.
  show(place: Place): void {
    const view = this.views.get(keyOf(place)) ?? this.add(place);
    if (view.isOpened) void view.askAgain();
    this.activate(keyOf(place));
    view.focus();
  }

  /// Starts a new shell, in front, in a place that has no tab.
  start(place: Place, cwd: string | Promise<string>): void {
    const view = this.add(place);
    this.activate(keyOf(place), { cwd, attach: false });
    view.focus();
  }

  /// Adds tabs behind the others, of which each is attached when it is shown for the first time.
  addHidden(places: readonly Place[]): void {
    for (const place of places) if (!this.views.has(keyOf(place))) this.add(place).setActive(false);
  }

  /// Takes it out of the page; its neighbour comes to the front.
  remove(key: string): void {
    const keys = [...this.views.keys()];
    const at = keys.indexOf(key);
    this.drop(key);
    if (this.frontKey !== key) return void this.onChange.emit();
    this.activate(keys[at + 1] ?? keys[at - 1]);
    this.active?.focus();
  }

  /// Brings the tab to the front that is `by` further, round and round.
  step(by: number): void {
    const keys = [...this.views.keys()];
    this.activate(keys[(keys.indexOf(this.frontKey ?? "") + by + keys.length) % keys.length]);
    this.active?.focus();
  }

  apply(settings: Settings): void {
    for (const view of this.views.values()) view.apply(settings);
  }

  appear(appearance: Appearance): void {
    for (const view of this.views.values()) view.appear(appearance);
  }

  /// There is a connection again.
  connected(): void {
    for (const view of this.views.values()) view.connected();
  }

  /// Allowed actions on terminals, or facts about them, may have changed.
  mind(): void {
    for (const view of this.views.values()) view.mind();
  }

  /// Tells those that the server no longer has, and takes out those of them that were never shown: how many.
  compare(isKnown: (key: string) => boolean): number {
    const gone = [...this.views].filter(([key]) => !isKnown(key));
    const unseen = gone.filter(([, view]) => !view.isOpened);
    for (const [, view] of gone) view.vanished();
    for (const [key] of unseen) this.remove(key);
    return unseen.length;
  }

  private add({ threadId, terminalId }: Place): TerminalView {
    const place = { threadId, terminalId }; // and no more: those who call have all that is known of it in their hands
    const view = new TerminalView(place, this.host);
    this.views.set(keyOf(place), view);
    this.element.append(view.element);
    return view;
  }

  private drop(key: string): void {
    this.views.get(key)?.dispose();
    this.views.delete(key);
  }

  private activate(key: string | undefined, opening: Opening = { cwd: "/", attach: true }): void {
    this.frontKey = key;
    for (const [other, view] of this.views) view.setActive(other === key);
    this.keepGraphics(key);
    if (this.active?.isOpened === false) void this.active.open(opening);
    const address = this.active ? formatPlace(this.active.place) : location.pathname + location.search;
    history.replaceState(null, "", address);
    this.onChange.emit();
  }

  private keepGraphics(key: string | undefined): void {
    const others = this.recent.filter((other) => other !== key && this.views.has(other));
    this.recent = key === undefined ? others : [...others, key];
    const over = this.recent.splice(0, Math.max(0, this.recent.length - kWithGraphics));
    for (const other of over) this.views.get(other)?.screen.releaseGraphics();
  }
}
