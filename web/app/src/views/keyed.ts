/// One row of a list that is shown again and again: made once, then only changed, so that a click, a focus or a hover
/// that is going on in it is not lost.
export interface Row<Item> {
  readonly element: HTMLElement;
  update(item: Item): void;
}

/// The rows of a list, by key.
export class KeyedRows<Item> {
  private readonly rows = new Map<string, Row<Item>>();

  constructor(
    private readonly parent: HTMLElement,
    private readonly keyOf: (item: Item) => string,
    private readonly make: (item: Item) => Row<Item>,
  ) {}

  show(items: readonly Item[]): void {
    const keys = new Set(items.map(this.keyOf));
    for (const [key, row] of this.rows) if (!keys.has(key)) this.remove(key, row);
    items.forEach((item, index) => this.place(item, index));
  }

  private remove(key: string, row: Row<Item>): void {
    row.element.remove();
    this.rows.delete(key);
  }

  private place(item: Item, index: number): void {
    const key = this.keyOf(item);
    const row = this.rows.get(key) ?? this.make(item);
    this.rows.set(key, row);
    row.update(item);
    const there = this.parent.children[index];
    if (there !== row.element) this.parent.insertBefore(row.element, there ?? null);
  }
}

/// Changes an attribute only if it is not so already.
export function setAttribute(element: Element, name: string, value: string | undefined): void {
  if (value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
