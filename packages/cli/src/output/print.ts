import { Option } from "commander";
import { plainLine, plainText } from "./plain-text.ts";
import { type Column, formatTable } from "./table.ts";
import { isTerminal, write } from "./terminal.ts";

const formats = ["table", "json", "yaml", "name"] as const;
export type Format = (typeof formats)[number];

export function outputOption(standard: Format = "table"): Option {
  return new Option("-o, --output <FORMAT>", "output format").choices(formats).default(standard);
}

export interface Printed<Row> {
  columns: readonly Column<Row>[];
  /** The name by which commands accept the object. */
  nameOf: (row: Row) => string;
}

/** Prints a list: in JSON an array, in YAML a list, with the format `name` one name per line. */
export async function printList<Row>(format: Format, rows: readonly Row[], { columns, nameOf }: Printed<Row>): Promise<void> {
  if (format === "table") write(await formatTable(columns, rows, isTerminal() ? process.stdout.columns : undefined));
  else if (format === "name") write(rows.map((row) => `${plainLine(nameOf(row))}\n`).join(""));
  else await printValue(format, rows);
}

export async function printOne<Row>(format: Format, row: Row, printed: Printed<Row>): Promise<void> {
  if (format === "json" || format === "yaml") await printValue(format, row);
  else await printList(format, [row], printed);
}

export async function printValue(format: "json" | "yaml", value: unknown): Promise<void> {
  write(format === "json" ? formatJson(value) : plainAtTerminal(await formatYaml(value)));
}

/** Characters that JSON leaves unchanged but a terminal would interpret are written as JSON escapes, which have the same meaning. */
export function formatJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  return text.replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, (found) =>
    [...Array(found.length).keys()].map((index) => `\\u${found.charCodeAt(index).toString(16).padStart(4, "0")}`).join(""),
  );
}

export async function formatYaml(value: unknown): Promise<string> {
  const { formatYaml: format } = await import("./yaml-text.ts");
  return format(value);
}

export function plainAtTerminal(text: string): string {
  return isTerminal() ? plainText(text) : text;
}
