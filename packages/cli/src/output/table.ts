import { plainLine } from "./plain-text.ts";
import { paint, paintStatus } from "./terminal.ts";
import { loadTextWidth, type TextWidth } from "./text-width.ts";

export interface Column<Row> {
  header: string;
  value: (row: Row) => string | number | undefined;
  /** For descriptions and messages: cut if the terminal is too narrow. Names, ids and dates are never cut. */
  canBeCut?: true;
  isStatus?: true;
}

const gap = "  ";
/** No column is cut below this width. */
const leastWidth = 12;

/** @param width of the terminal; undefined: nothing is cut */
export async function formatTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width?: number): Promise<string> {
  const cells = rows.map((row) => columns.map(({ value }) => plainLine(String(value(row) ?? ""))));
  const textWidth = await loadTextWidth(cells.flat());
  const natural = columns.map(({ header }, index) => Math.max(textWidth(header), ...cells.map((row) => textWidth(row[index]!))));
  const last = columns.length - 1;
  const widths = width === undefined ? natural : narrow(columns, natural, width);
  const lines = cells.map((row) =>
    row.map((cell, index) => {
      const cut = cutTo(cell, widths[index]!, textWidth);
      const shown = index === last ? cut : pad(cut, widths[index]! - textWidth(cut));
      return columns[index]!.isStatus ? paintStatus(shown) : shown;
    }),
  );
  const padded = columns.map(({ header }, index) => (index === last ? header : pad(header, widths[index]! - textWidth(header))));
  const head = padded.map((header) => paint("bold", header));
  return [head, ...lines].map((line) => `${line.join(gap).trimEnd()}\n`).join("");
}

/** Repeatedly shortens the widest of the columns that can be cut, until the table fits. */
function narrow<Row>(columns: readonly Column<Row>[], natural: readonly number[], width: number): number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, one) => sum + one, gap.length * (widths.length - 1)) - width;
  while (excess-- > 0) {
    const widest = widths.reduce((best, one, index) => (columns[index]!.canBeCut && one > (widths[best] ?? leastWidth) ? index : best), -1);
    if (widest === -1) break;
    widths[widest]!--;
  }
  return widths;
}

function cutTo(text: string, width: number, textWidth: TextWidth): string {
  if (textWidth(text) <= width) return text;
  let kept = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (textWidth(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

function pad(text: string, by: number): string {
  return text + " ".repeat(Math.max(0, by));
}
