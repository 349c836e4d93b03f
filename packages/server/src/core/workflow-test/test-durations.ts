import { parseDuration } from "../task/tekton/step-resources.ts";
import { TestProblem } from "./test-problem.ts";

/** A duration of a test in milliseconds; absent: 0. @throws TestProblem */
export function msOf(text: string | null | undefined): number {
  if (text == null) return 0;
  const ms = parseDuration(text);
  if (ms === undefined) throw new TestProblem(`${JSON.stringify(text)} is not a duration; write it like 90s, 5m or 1h30m`);
  return ms;
}

/** As tests write durations: the largest units first, without zeros. */
export function durationText(ms: number): string {
  const units = [
    ["h", 3_600_000],
    ["m", 60_000],
    ["s", 1000],
    ["ms", 1],
  ] as const;
  let rest = Math.round(ms);
  let text = "";
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) text += `${count}${unit}`;
  }
  return text || "0s";
}
