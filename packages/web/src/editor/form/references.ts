/** References as `$(tasks.NAME.results.RESULT)` in the texts of a workflow; docs/parameters.md has the whole grammar. */

const plainName = /^[^.()[\]'"\s\p{Cc}]+(?: +[^.()[\]'"\s\p{Cc}]+)*$/u;

/** How a name is written behind what leads to it: `.name`, or in brackets when it has dots or brackets of its own. */
export function stepTo(name: string): string {
  if (plainName.test(name)) return `.${name}`;
  return name.includes("'") ? `["${name}"]` : `['${name}']`;
}

/** The value with every reference to the results of renamed tasks leading to their new names, however deep the texts are. */
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

/** Something that can stand between `$(` and `)`. */
export interface Offer {
  name: string;
  /** What it had last, as text. */
  last?: string | undefined;
}

/** The reference that is being typed before the caret: from where it would be replaced, and what there is of it. */
export function openReference(text: string, caret: number): { from: number; typed: string } | undefined {
  const before = text.slice(0, caret);
  const from = before.endsWith("$") ? before.length - 1 : before.lastIndexOf("$(");
  if (from < 0) return undefined;
  const typed = before.slice(from + 2);
  return /[)\n$]/.test(typed) || typed.length > 200 ? undefined : { from, typed };
}

/**
 * Those that have what was typed, in the order that is given: first where the whole or its last step begins so, then anywhere.
 * What the system sets stands last in any case.
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
