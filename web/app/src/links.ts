/// Targets that a link in a terminal may have. Programs print links, so anything else is not offered at all.
const kSchemes = ["http:", "https:", "mailto:"];

/// The address as the browser understands it, or nothing when it may not be followed.
export function allowedTarget(address: string): string | undefined {
  try {
    const url = new URL(address);
    return kSchemes.includes(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}
