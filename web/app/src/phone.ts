/// A zoom below this is none: browsers compute it.
const kLeastZoom = 1.01;

/// The height of what is visible without the zoom of two fingers, under which the layout stays: in CSS pixels, with no
/// more digits than the zoom leaves right.
export function visibleHeight({ height, scale }: Pick<VisualViewport, "height" | "scale">): string {
  return `${(height * scale).toFixed(2)}px`;
}

/// Whether the browser has moved the page, as it does for its keyboard. Who has zoomed in moves it by hand.
export function isPushedUp({ offsetTop, scale }: Pick<VisualViewport, "offsetTop" | "scale">): boolean {
  return offsetTop > 0 && scale < kLeastZoom;
}

/// Keeps the page as high as what is really visible: the keyboard of a phone covers the rest without telling the
/// layout.
export function followVisualViewport(): void {
  const viewport = window.visualViewport;
  if (!viewport) return;
  const follow = () => {
    document.documentElement.style.setProperty("--visible-height", visibleHeight(viewport));
    if (isPushedUp(viewport)) window.scrollTo(0, 0);
  };
  viewport.addEventListener("resize", follow);
  viewport.addEventListener("scroll", follow);
  follow();
}
