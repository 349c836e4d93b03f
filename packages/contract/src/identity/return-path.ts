/** Longest path to come back to; it travels in a cookie. */
export const maxReturnPath = 1000;

/** A host that nothing resolves to: only what stays on it was a path. */
const base = "https://own.invalid";

/** A slash or backslash in any spelling that a browser, a proxy or a router turns into one. */
const slash = "(?:[/\\\\]|%2f|%5c)";
const hostAtStart = new RegExp(`^${slash}${slash}`, "i");

/**
 * The path of this service that a text stands for, or undefined. The server and the page decide by this one rule where to go after
 * signing in, since a sign-in that leads to another host would lend our name to the author of the link.
 *
 * The text is resolved first and judged afterwards: `/..//evil.example`, `/.//evil.example` and `/%2e%2e//evil.example` are all
 * harmless paths until their dots are resolved, and then begin with two slashes, which a browser reads as a host. What is returned
 * resolves to itself on every origin.
 */
export function toReturnPath(text: string): string | undefined {
  // Blanks, tabs, line ends and backslashes are dropped or turned by URL parsers: an address that was encoded properly has none.
  if (text.length > maxReturnPath || !/^\/[\x21-\x5b\x5d-\x7e]*$/.test(text) || !URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  const path = url.pathname + url.search + url.hash;
  if (url.origin !== base || hostAtStart.test(path) || path.length > maxReturnPath) return undefined;
  return new URL(path, base).href === url.href ? path : undefined;
}
