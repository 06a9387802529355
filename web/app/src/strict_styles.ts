/// Lets xterm.js run under `style-src 'self'`.
///
/// Its DOM renderer and its scroll bar write <style> elements, and its rows get a style *attribute*; both are inline
/// styles, which the page's content security policy refuses, as it should. Style sheets and style properties set by
/// script are allowed. So whoever makes a <style> on this page is given a stand-in that feeds a constructed sheet, and
/// setting the `style` attribute of a <span> made here sets its properties. Nothing else of the document changes.

export function installStrictStyles(): void {
  const create = document.createElement.bind(document);
  document.createElement = ((tag: string, options?: ElementCreationOptions) => {
    if (tag === "style") return standIn(create("template"));
    const made = create(tag, options);
    if (tag === "span") divertStyleAttribute(made);
    return made;
  }) as typeof document.createElement;
}

/// Text written to `made` goes to a sheet that lives until it is removed. A template is never shown, and even an
/// empty <style> would be reported as a violation.
function standIn(made: HTMLElement): HTMLElement {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  Object.defineProperty(made, "textContent", {
    get: () => "",
    set: (css: string) => void sheet.replaceSync(css),
  });
  made.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    Element.prototype.remove.call(made);
  };
  return made;
}

function divertStyleAttribute(made: HTMLElement): void {
  made.setAttribute = (name: string, value: string) => {
    if (name === "style") made.style.cssText = value;
    else Element.prototype.setAttribute.call(made, name, value);
  };
}
