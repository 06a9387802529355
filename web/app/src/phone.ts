/// Keeps the page as high as what is really visible: the keyboard of a phone covers the rest without telling the
/// layout.
export function followVisualViewport(): void {
  const viewport = window.visualViewport;
  if (!viewport) return;
  const follow = () => {
    document.documentElement.style.setProperty("--visible-height", `${viewport.height}px`);
    if (viewport.offsetTop > 0) window.scrollTo(0, 0);
  };
  viewport.addEventListener("resize", follow);
  viewport.addEventListener("scroll", follow);
  follow();
}
