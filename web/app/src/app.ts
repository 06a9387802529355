import type { PtydClient, PtydError, Snapshot } from "../../client/src/index.ts";
import { checkAccess } from "./access.ts";
import { AppearanceOfPage } from "./appearance.ts";
import { menuItems } from "./app_menu.ts";
import { firstInFront, firstList } from "./beginning.ts";
import { Endings } from "./endings.ts";
import { bytesOf, type BarKey } from "./key_bytes.ts";
import { isNarrow, layOut } from "./layout.ts";
import { kFirstThread, NewTerminals } from "./new_terminals.ts";
import { OpenTerminals } from "./open_terminals.ts";
import { refuseFiles } from "./drops.ts";
import { isAgents } from "./program.ts";
import { askForName, mayRestart } from "./questions.ts";
import { RememberedTabs } from "./remembered_tabs.ts";
import { PageClipboard } from "./page_clipboard.ts";
import { parsePlace, type Place } from "./route.ts";
import type { Screen } from "./screen.ts";
import { loadSettings, saveSettings, type Settings } from "./settings.ts";
import { actionOf, type Action } from "./shortcuts.ts";
import { Spoken } from "./spoken.ts";
import { TabEntries } from "./tab_entries.ts";
import type { TerminalView } from "./terminal_view.ts";
import type { ViewHost } from "./view_host.ts";
import { ConnectionPill } from "./views/connection_pill.ts";
import { confirm, showPage } from "./views/dialogs.ts";
import { emptyPage } from "./views/empty_page.ts";
import { KeyBar } from "./views/key_bar.ts";
import { keyTable } from "./views/key_table.ts";
import { LinkHint } from "./views/link_hint.ts";
import { Menu, type MenuItem } from "./views/menu.ts";
import { ReadView } from "./views/read_view.ts";
import { SearchBox } from "./views/search_box.ts";
import { Sidebar } from "./views/sidebar.ts";
import { SkipLinks } from "./views/skip_links.ts";
import { Tabs } from "./views/tabs.ts";
import { Toasts } from "./views/toasts.ts";
import { keyOf, type Entry } from "./entry.ts";
import { Workspace } from "./workspace.ts";

/// The list is asked for this often while somebody looks (ms): other clients may close terminals, and no event tells
/// it.
const kRefresh = 10_000;
/// The whole page: what is where, and what each button and key does.
export class App {
  readonly element: HTMLElement;
  private readonly workspace: Workspace;
  private readonly open: OpenTerminals;
  private settings = loadSettings();
  private readonly look = new AppearanceOfPage((appearance) => this.open.appear(appearance));
  private readonly remembered = new RememberedTabs(document.baseURI);
  /// Until then the page shows fewer tabs than are remembered.
  private hasRestored = false;
  private mayAct = true;
  private readonly tabEntries = new TabEntries();
  private readonly empty = emptyPage(() => this.perform("newTerminal"));
  private readonly linkHint = new LinkHint();
  private readonly toasts = new Toasts();
  private readonly sidebar: Sidebar;
  private readonly tabs: Tabs;
  private readonly pill: ConnectionPill;
  private readonly search: SearchBox;
  private readonly clipboard = new PageClipboard({ active: () => this.active, show: (toast) => this.toasts.show(toast) });
  private readonly reading = new ReadView({
    copy: (text) => void this.clipboard.copyText(text),
    left: () => this.active?.focus(),
  });
  private readonly keyBar: KeyBar;
  private readonly skipLinks = new SkipLinks({
    toTerminal: () => this.active?.focus(),
    toggleScreenReader: () => this.perform("screenReader"),
  });
  private readonly spoken = new Spoken();
  private readonly endings: Endings;
  private readonly starts: NewTerminals;
  private readonly menu = new Menu(
    "More",
    () => this.menuItems(),
    () => this.active?.focus(),
  );

  constructor(private readonly client: PtydClient) {
    this.workspace = new Workspace(client);
    this.open = new OpenTerminals(this.makeHost());
    this.starts = new NewTerminals(client, this.workspace, this.open, {
      refresh: () => this.refresh(),
      started: () => this.closeDrawer(),
    });
    this.endings = new Endings(client, this.workspace, this.open, {
      mayAct: () => this.mayAct,
      failed: (words) => {
        this.tell(words, "error");
        void this.refresh();
      },
    });
    this.sidebar = new Sidebar({
      open: (entry) => this.show(entry),
      end: (entry) => void this.endings.end(entry),
      newTerminal: (threadId) => this.starts.start(threadId),
      newThread: () => void this.starts.startThread(),
    });
    this.tabs = new Tabs({ activate: (entry) => this.show(entry), close: (entry) => void this.endings.closeTab(entry), rename: (entry) => void this.rename(entry) });
    this.pill = new ConnectionPill(() => client.retryNow());
    this.search = new SearchBox(() => this.active?.focus());
    this.keyBar = new KeyBar({
      press: (key, ctrl) => this.pressKey(key, ctrl),
      send: (text) => this.active?.keyboard.type(text),
      paste: () => void this.clipboard.paste(),
      focusTerminal: () => this.active?.focus(),
    });
    this.element = this.layout();
    this.changeSettings({});
    this.listen();
  }

  /// Shows the tabs of the last time. In front is what the address names, else the one that was, else a shell that runs,
  /// else a new one; for a viewer, which may start none, what agents run.
  async start(): Promise<void> {
    this.pill.show(this.client.state);
    this.render();
    await firstList(this.client, () => this.refresh());
    await this.learnAccess();
    const { places, front } = this.remembered.load();
    this.open.addHidden(places);
    this.dropGone();
    this.hasRestored = true;
    const all = this.workspace.threads().flatMap((thread) => thread.entries);
    const first = firstInFront(all, [parsePlace(location.hash), front]);
    if (first) this.show(first);
    else if (this.mayAct) this.starts.start(kFirstThread);
    else if (all[0]) this.show(all[0]);
    else this.open.onChange.emit();
  }

  /// The screen in front.
  get screen(): Screen | undefined {
    return this.active?.screen;
  }

  private get active(): TerminalView | undefined {
    return this.open.active;
  }

  private get activeEntry(): Entry | undefined {
    return this.workspace.get(this.open.activeKey ?? "");
  }

  private show(place: Place): void {
    this.open.show(place);
    this.closeDrawer();
  }

  private async restart(): Promise<void> {
    if (await mayRestart(this.activeEntry)) await this.active?.restart();
  }

  private async rename(entry: Entry): Promise<void> {
    const name = this.mayAct ? await askForName(entry) : undefined;
    if (name === undefined) return;
    const { threadId, terminalId } = entry;
    await this.client
      .rename({ threadId, terminalId, name })
      .catch((error: PtydError) => this.tell(`The terminal could not be renamed: ${error.message}`, "error"));
  }

  /// Terminal, list, tabs, terminal: a way out of a terminal, which keeps the Tab key for itself.
  private nextPart(): void {
    const at = document.activeElement;
    if (this.sidebar.element.contains(at)) {
      this.tabs.focus();
      this.closeDrawer();
    } else if (this.tabs.element.contains(at)) this.active?.focus();
    else {
      this.showList(true);
      this.sidebar.focus();
    }
  }

  private toggleList(): void {
    this.showList(isNarrow() ? !this.element.classList.contains("drawer-open") : !this.settings.sidebar);
  }

  private showList(shown: boolean): void {
    if (isNarrow()) this.element.classList.toggle("drawer-open", shown);
    else this.changeSettings({ sidebar: shown });
  }

  private closeDrawer(): void {
    this.element.classList.remove("drawer-open");
  }

  private changeSettings(change: Partial<Settings>): void {
    this.settings = { ...this.settings, ...change };
    saveSettings(this.settings);
    this.element.classList.toggle("no-sidebar", !this.settings.sidebar);
    this.skipLinks.show(this.settings.screenReader);
    this.look.use(this.settings.theme);
    this.open.apply(this.settings);
  }

  private pressKey(key: BarKey, ctrl: boolean): void {
    this.active?.keyboard.type(bytesOf(key, ctrl, this.active.applicationCursor));
  }

  private perform(action: Action): void {
    const actions: Record<Action, () => void> = {
      newTerminal: () => this.starts.startBesideFront(),
      search: () => this.active && this.search.open(this.active.screen),
      read: () => this.active && this.reading.open(this.active.screen),
      screenReader: () => {
        this.changeSettings({ screenReader: !this.settings.screenReader });
        this.spoken.screenReaderMode(this.settings.screenReader);
      },
      copy: () => void this.clipboard.copy(),
      paste: () => void this.clipboard.paste(),
      nextTab: () => this.open.step(1),
      previousTab: () => this.open.step(-1),
      nextPart: () => this.nextPart(),
      toggleList: () => this.toggleList(),
      help: () => showPage("Keys", keyTable()),
    };
    actions[action]();
  }

  /// True when `event` was one of the page's own keys. Pasting is left to the browser, which may where scripts may not.
  private onShortcut(event: KeyboardEvent): boolean {
    const action = actionOf(event);
    if (!action) return false;
    if (action === "paste") return true;
    event.preventDefault();
    event.stopPropagation();
    this.perform(action);
    return true;
  }

  private menuItems(): (MenuItem | "line")[] {
    return menuItems({
      settings: () => this.settings,
      active: () => this.active,
      perform: (action) => this.perform(action),
      change: (settings) => this.changeSettings(settings),
      restart: () => void this.restart(),
      rename: () => {
        const entry = this.activeEntry;
        return entry && this.mayAct ? () => void this.rename(entry) : undefined;
      },
      closeTab: () => this.active && void this.endings.closeTab(this.active.place),
      end: () => this.endOfFront(),
    });
  }

  private endOfFront(): (() => void) | undefined {
    const entry = this.activeEntry;
    const isOver = entry && isAgents(entry) && entry.status !== "running";
    return entry && this.mayAct && !isOver ? () => void this.endings.end(entry) : undefined;
  }

  private frontChanged(): void {
    if (this.hasRestored) this.remembered.save({ places: this.open.places, front: this.active?.place });
    this.search.close(false);
    this.reading.close(false);
    this.empty.hidden = this.active !== undefined;
    if (this.active) this.workspace.setUnread(this.active.place, false);
    this.render();
    if (this.activeEntry) this.spoken.cameToFront(this.activeEntry);
    if (!this.active && document.activeElement === document.body) this.empty.querySelector("button")?.focus();
  }

  private render(): void {
    const entries = this.tabEntries.of(this.open.places, (key) => this.workspace.get(key));
    this.sidebar.show(this.workspace.threads(), this.open.activeKey, this.client.welcome?.homeDir);
    this.tabs.show(entries, this.open.activeKey);
    this.open.mind();
    this.element.classList.toggle("only-watching", this.active?.manners.noInput !== undefined);
    this.spoken.show(this.activeEntry, this.workspace.threads());
  }

  private listen(): void {
    this.workspace.onChange.on(() => this.render());
    this.open.onChange.on(() => this.frontChanged());
    this.client.onState.on((state) => {
      this.pill.show(state);
      const isWell = state.name === "open" && state.unansweredSince === undefined;
      if (isWell) void this.refresh().then(() => this.learnAccess());
      if (isWell) this.open.connected();
    });
    document.addEventListener("keydown", (event) => void this.onShortcut(event));
    this.open.element.addEventListener("contextmenu", (event) => this.onLongPress(event as PointerEvent));
    refuseFiles(() => this.tell("Files cannot be dropped here."));
    document.addEventListener("visibilitychange", () => this.lookedAt());
    window.addEventListener("focus", () => this.active?.claimSize());
    window.addEventListener("resize", () => document.hasFocus() && this.active?.sizeMayHaveChanged(true));
    window.addEventListener("online", () => this.client.check());
    window.addEventListener("hashchange", () => this.followAddress());
    setInterval(() => {
      if (document.visibilityState === "visible" && this.client.state.name === "open") void this.refresh();
    }, kRefresh);
  }

  /// A finger that rests on the screen wants to select there.
  private onLongPress(event: PointerEvent): void {
    if (event.pointerType !== "touch" || !this.reading.element.hidden) return;
    event.preventDefault();
    if (this.active) this.reading.open(this.active.screen, event);
  }

  /// Says once to a person who may only view that they may, instead of at every key.
  private async learnAccess(): Promise<void> {
    const access = await checkAccess();
    if (access === "full" || access === "view") this.mayAct = access === "full";
    this.element.classList.toggle("view-only", !this.mayAct);
    this.render();
  }

  private lookedAt(): void {
    if (document.visibilityState !== "visible") return;
    this.client.check();
    this.active?.claimSize();
  }

  private followAddress(): void {
    const place = parsePlace(location.hash);
    if (place && keyOf(place) !== this.open.activeKey && this.workspace.get(keyOf(place))) this.show(place);
  }

  /// Whether the list has come.
  private async refresh(): Promise<boolean> {
    try {
      await this.workspace.refresh();
      this.toasts.drop("list");
      this.dropGone();
      return true;
    } catch (error) {
      const { code, message } = error as PtydError;
      if (code !== "unauthorised" && code !== "closed")
        this.tell(`The list of terminals could not be loaded: ${message}`, "error", "list");
      return false;
    }
  }

  private dropGone(): void {
    const gone = this.open.compare((key) => this.workspace.get(key) !== undefined);
    if (gone > 0) this.tell(gone === 1 ? "1 of your terminals has gone." : `${gone} of your terminals have gone.`);
  }

  private tell(text: string, kind: "error" | "info" = "info", cause = text): void {
    this.toasts.show({ text, kind, cause });
  }

  private noticed(place: Place): void {
    if (keyOf(place) !== this.open.activeKey) this.workspace.setUnread(place, true);
  }

  private rang(place: Place): void {
    this.noticed(place);
    const entry = this.workspace.get(keyOf(place));
    if (entry) this.spoken.rang(entry);
  }

  private makeHost(): ViewHost {
    return {
      client: this.client,
      settings: () => this.settings,
      appearance: () => this.look.current,
      mayAct: () => this.mayAct,
      programOf: (place) => this.workspace.get(keyOf(place))?.program,
      shortcut: (event) => this.onShortcut(event),
      confirm,
      serverGoesDown: (reason) => this.tell(`The server is going down: ${reason}`, "info", "shutdown"),
      offerCopy: (text) => this.clipboard.offer(text),
      hover: (target) => this.linkHint.show(target),
      takeStickyCtrl: () => this.keyBar.takeCtrl(),
      opened: (snapshot: Snapshot) => this.workspace.opened(snapshot),
      titled: (place, title) => this.workspace.setTitle(place, title),
      noticed: (place) => this.noticed(place),
      rang: (place) => this.rang(place),
      closeTab: (place) => void this.endings.closeTab(place),
    };
  }

  private layout(): HTMLElement {
    const over = [this.empty, this.search.element, this.linkHint.element, this.toasts.element, this.reading.element];
    const parts = {
      skipLinks: this.skipLinks.element,
      sidebar: this.sidebar.element,
      tabs: this.tabs.element,
      connection: this.pill.element,
      menu: this.menu.element,
      terminals: this.open.element,
      over,
      keyBar: this.keyBar.element,
      heading: this.spoken.heading,
      announcer: this.spoken.announcer.element,
    };
    return layOut(parts, (action) => this.perform(action));
  }
}
