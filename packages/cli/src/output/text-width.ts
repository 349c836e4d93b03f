/** How many columns of a terminal a text takes. */
export type TextWidth = (text: string) => number;

/**
 * For these texts, their parts, and plain ones. The tables of wide and combining characters are loaded only if a text needs them: that
 * takes as much processor time as everything else that a command loads.
 */
export async function loadTextWidth(texts: readonly string[]): Promise<TextWidth> {
  return texts.every(isPlain) ? (text) => text.length : loadAnyTextWidth();
}

/** For texts that are not known yet. */
export async function loadAnyTextWidth(): Promise<TextWidth> {
  return (await import("string-width")).default;
}

/** Printable ASCII, and `…`, which marks what was cut. */
const isPlain = (text: string) => /^[ -~…]*$/.test(text);
