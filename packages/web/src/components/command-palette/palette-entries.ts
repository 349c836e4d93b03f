/** Something that the palette leads to. */
export interface PaletteEntry {
  /** The heading below which it stands. */
  kind: "Places" | "Workflows" | "Runs" | "Teams";
  label: string;
  /** Quiet, beside it. */
  detail?: string;
  to: string;
}

const mostShown = 40;

/**
 * Those that have each typed word somewhere, the best first within their kind: where the label begins with what was typed, then where a word
 * of it does. Nothing typed: the first few of each kind.
 */
export function findEntries(entries: readonly PaletteEntry[], typed: string): PaletteEntry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return firstOfEach(entries, 6);
  const scored = entries.flatMap((entry) => {
    const text = `${entry.label} ${entry.detail ?? ""} ${entry.kind}`.toLowerCase();
    return words.every((word) => text.includes(word)) ? [{ entry, score: score(entry.label.toLowerCase(), words[0] as string) }] : [];
  });
  const best = scored.sort((a, b) => a.score - b.score).slice(0, mostShown);
  return kinds.flatMap((kind) => best.filter(({ entry }) => entry.kind === kind).map(({ entry }) => entry));
}

const kinds = ["Places", "Workflows", "Runs", "Teams"] as const;

function score(label: string, word: string): number {
  if (label.startsWith(word)) return 0;
  if (label.split(/[\s\-_.]+/).some((part) => part.startsWith(word))) return 1;
  return label.includes(word) ? 2 : 3;
}

function firstOfEach(entries: readonly PaletteEntry[], count: number): PaletteEntry[] {
  return kinds.flatMap((kind) => entries.filter((entry) => entry.kind === kind).slice(0, kind === "Places" ? 12 : count));
}
