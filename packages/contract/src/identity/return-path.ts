/** The longest path to return to; it is stored in a cookie. */
export const maxReturnPath = 1000;

/** A host that nothing resolves to: if the result is still on it, the text was only a path. */
const base = "https://own.invalid";

/** A slash or backslash in any form that a browser, a proxy or a router turns into one. */
const slash = "(?:[/\\\\]|%2f|%5c)";
const hostAtStart = new RegExp(`^${slash}${slash}`, "i");

/**
 * The path of this service that a text stands for; undefined if it is none. Both the server and the page use this rule to decide where to
 * go after signing in, since a sign-in that leads to another host would let the author of the link misuse our name.
 *
 * The text is first resolved and then checked: `/..//evil.example`, `/.//evil.example` and `/%2e%2e//evil.example` all look harmless until
 * their dots are resolved; then they begin with two slashes, which a browser reads as a host. The returned path resolves to itself on every
 * origin.
 */
export function toReturnPath(text: string): string | undefined {
  // URL parsers drop or convert spaces, tabs, line ends and backslashes; a properly encoded address has none.
  if (text.length > maxReturnPath || !/^\/[\x21-\x5b\x5d-\x7e]*$/.test(text) || !URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  const path = url.pathname + url.search + url.hash;
  if (url.origin !== base || hostAtStart.test(path) || path.length > maxReturnPath) return undefined;
  return new URL(path, base).href === url.href ? path : undefined;
}
