export interface Measurement {
  name: string;
  value: number;
  unit: string;
  /** What it is compared with, in words, and the ratio. */
  floor?: { name: string; ratio: number };
  /** The target on two cores shared with the database, if there is one. */
  aim?: { atMost: number } | { atLeast: number };
  /** The benchmark fails if the target is missed. */
  mustMeet?: boolean;
}

export function isMet({ aim, value }: Measurement): boolean {
  if (!aim) return true;
  return "atMost" in aim ? value <= aim.atMost : value >= aim.atLeast;
}

interface Machine {
  node: string;
  cpu: string;
  cores: number;
  isQuick: boolean;
}

function formatValue({ value, unit }: Measurement): string {
  if (Number.isNaN(value)) return "-";
  const text = value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
  return unit ? `${text} ${unit}` : text;
}

function formatAim(measurement: Measurement): string {
  const { aim } = measurement;
  if (!aim) return "";
  const wanted = "atMost" in aim ? `<= ${aim.atMost}` : `>= ${aim.atLeast}`;
  return `${wanted} ${isMet(measurement) ? "met" : "MISSED"}`;
}

function formatFloor({ floor }: Measurement): string {
  return floor ? `${floor.ratio.toPrecision(3)} x ${floor.name}` : "";
}

/** A table that can be pasted into a Markdown document unchanged. */
export function printTable(machine: Machine, measurements: readonly Measurement[]): void {
  const rows = measurements.map((one) => [one.name, formatValue(one), formatFloor(one), formatAim(one)]);
  const header = ["what", "measured", "against the floor", "aim"];
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const lines = [line(header), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)];
  process.stdout.write(
    `\nNode ${machine.node}, ${machine.cores} cores (${machine.cpu})${machine.isQuick ? ", quick" : ""}\n\n${lines.join("\n")}\n`,
  );
}
