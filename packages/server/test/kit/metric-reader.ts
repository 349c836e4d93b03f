import type { TestApp } from "./app.ts";

/** The value of each series, by its name and labels as they are written. */
export type Series = ReadonlyMap<string, number>;

export async function readSeries(app: TestApp): Promise<Series> {
  const { text, status } = await app.as().get("/metrics");
  if (status !== 200) throw new Error(`/metrics answered ${status}: ${text}`);
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]));
}

/** How much a series has grown. */
export function growth(before: Series, after: Series, series: string): number {
  return (after.get(series) ?? 0) - (before.get(series) ?? 0);
}
