/** References such as `$(tasks.NAME.results.RESULT)` in the texts of a workflow; docs/parameters.md has the whole grammar. */

const plainName = /^[^.()[\]'"\s\p{Cc}]+(?: +[^.()[\]'"\s\p{Cc}]+)*$/u;

/** How a name is appended to a path: `.name`, or in brackets if it contains dots or brackets itself. */
export function stepTo(name: string): string {
  if (plainName.test(name)) return `.${name}`;
  return name.includes("'") ? `["${name}"]` : `['${name}']`;
}

/** The value with all references to renamed tasks updated, at any depth. */
export function renameReferences<T>(value: T, names: ReadonlyMap<string, string>): T {
  const spellings = new Map(
    [...names].flatMap(([from, to]) => [`.${from}`, `['${from}']`, `["${from}"]`].map((spelling) => [spelling, to])),
  );
  if (spellings.size === 0) return value;
  const alternatives = [...spellings.keys()].sort((one, other) => other.length - one.length).map(escaped);
  const pattern = new RegExp(`\\$\\((tasks?)(${alternatives.join("|")})(?=[.[])`, "g");
  const written = (text: string) =>
    text.replace(pattern, (_, word: string, name: string) => `$(${word}${stepTo(spellings.get(name) ?? "")}`);
  return mapTexts(value, (text) => (text.includes("$(") ? written(text) : text)) as T;
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) {
    const mapped = value.map((each) => mapTexts(each, change));
    return mapped.some((each, index) => each !== value[index]) ? mapped : value;
  }
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value);
  const mapped = entries.map(([key, each]) => [key, mapTexts(each, change)] as const);
  return mapped.some(([, each], index) => each !== entries[index]?.[1]) ? Object.fromEntries(mapped) : value;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** A suggestion for the text between `$(` and `)`. */
export interface Offer {
  name: string;
  /** The last value, as text. */
  last?: string | undefined;
}

/** The incomplete reference before the caret: the start of the text to replace, and what was typed so far. */
export function openReference(text: string, caret: number): { from: number; typed: string } | undefined {
  const before = text.slice(0, caret);
  const from = before.endsWith("$") ? before.length - 1 : before.lastIndexOf("$(");
  if (from < 0) return undefined;
  const typed = before.slice(from + 2);
  return /[)\n$]/.test(typed) || typed.length > 200 ? undefined : { from, typed };
}

/**
 * The suggestions that contain the typed text, in the given order: first those in which the whole or the last step starts with it, then the
 * others. Values that the system sets always come last.
 */
export function matchingReferences(available: readonly Offer[], typed: string, limit = 50): Offer[] {
  const wanted = typed.trim().toLowerCase();
  const begins = ({ name }: Offer) => name.toLowerCase().startsWith(wanted) || lastStep(name).startsWith(wanted);
  const first = available.filter(begins);
  const has = available.filter((each) => !begins(each) && each.name.toLowerCase().includes(wanted));
  return [...first, ...has].slice(0, limit);
}

function lastStep(name: string): string {
  return (/(?:\.|\[['"])([^.[\]'"]+)['"\]]*$/.exec(name)?.[1] ?? name).toLowerCase();
}
