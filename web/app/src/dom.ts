/// The one way by which elements are made here. Text goes in as text only: nothing a program prints can become markup.

type Child = Node | string | undefined | false;

interface Properties {
  readonly class?: string;
  readonly text?: string;
  readonly title?: string;
  readonly hidden?: boolean;
  /** Attributes as they are; undefined ones are left out. */
  readonly attributes?: Readonly<Record<string, string | undefined>>;
  readonly on?: { readonly [Type in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Type]) => void };
}

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (properties.class) made.className = properties.class;
  if (properties.text !== undefined) made.textContent = properties.text;
  if (properties.title) made.title = properties.title;
  if (properties.hidden) made.hidden = true;
  for (const [name, value] of Object.entries(properties.attributes ?? {})) {
    if (value !== undefined) made.setAttribute(name, value);
  }
  for (const [type, listener] of Object.entries(properties.on ?? {})) {
    made.addEventListener(type, listener as EventListener);
  }
  made.append(...children.filter((child): child is Node | string => child !== undefined && child !== false));
  return made;
}

const kIcons = {
  plus: "M8 3v10M3 8h10",
  close: "M4 4l8 8M12 4l-8 8",
  search: "M7 2.5a4.5 4.5 0 100 9 4.5 4.5 0 000-9zM10.5 10.5l3 3",
  list: "M2.5 4h11M2.5 8h11M2.5 12h11",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  restart: "M13 8a5 5 0 11-1.6-3.7M13 2v3h-3",
  up: "M4 10l4-4 4 4",
  down: "M4 6l4 4 4-4",
  shell: "M3 4l4 4-4 4M8.5 12.5h5",
} as const;

export type IconName = keyof typeof kIcons;

const kSvg = "http://www.w3.org/2000/svg";

export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(kSvg, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(kSvg, "path");
  path.setAttribute("d", kIcons[name]);
  svg.append(path);
  return svg;
}

/// A button that shows only an icon; `label` is its name for everybody who cannot see it, and its tooltip.
export function iconButton(name: IconName, label: string, press: (event: MouseEvent) => void): HTMLButtonElement {
  const attributes = { type: "button", "aria-label": label };
  return element("button", { class: "icon-button", title: label, attributes, on: { click: press } }, icon(name));
}
