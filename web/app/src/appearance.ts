import type { Theme } from "./settings.ts";

export type Appearance = "dark" | "light";

/// Whether the page is dark or light: as its user chose, else as the browser prefers, and anew when that changes.
export class AppearanceOfPage {
  private readonly prefersLight = matchMedia("(prefers-color-scheme: light)");
  private theme: Theme = "system";
  private shown: Appearance = "dark";

  constructor(private readonly changed: (appearance: Appearance) => void) {
    this.prefersLight.addEventListener("change", () => this.show());
  }

  get current(): Appearance {
    return this.shown;
  }

  use(theme: Theme): void {
    this.theme = theme;
    this.show();
  }

  private show(): void {
    const preferred = this.prefersLight.matches ? "light" : "dark";
    this.shown = this.theme === "system" ? preferred : this.theme;
    document.documentElement.dataset.appearance = this.shown;
    const surface = getComputedStyle(document.documentElement).getPropertyValue("--surface");
    document.querySelector('meta[name="theme-color"]')?.setAttribute("content", surface);
    this.changed(this.shown);
  }
}
