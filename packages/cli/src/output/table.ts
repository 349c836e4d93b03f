import stringWidth from "string-width";
import { plainLine } from "./plain-text.ts";
import { paint, paintStatus } from "./terminal.ts";

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
export function formatTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width?: number): string {
  const cells = rows.map((row) => columns.map(({ value }) => plainLine(String(value(row) ?? ""))));
  const natural = columns.map(({ header }, index) => Math.max(stringWidth(header), ...cells.map((row) => stringWidth(row[index]!))));
  const widths = width === undefined ? natural : narrow(columns, natural, width);
  const lines = cells.map((row) =>
    row.map((cell, index) => {
      const shown = pad(cutTo(cell, widths[index]!), index === columns.length - 1 ? 0 : widths[index]!);
      return columns[index]!.isStatus ? paintStatus(shown) : shown;
    }),
  );
  const head = columns.map(({ header }, index) => paint("bold", pad(header, index === columns.length - 1 ? 0 : widths[index]!)));
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

const segmenter = new Intl.Segmenter();

function cutTo(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = "";
  for (const { segment } of segmenter.segment(text)) {
    if (stringWidth(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - stringWidth(text)));
}
