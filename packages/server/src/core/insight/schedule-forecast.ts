/** How many runs schedules are going to start, hour by hour, and in which hours this exceeds the quotas of the team. */

export interface PlannedRun {
  atMs: number;
  /** Milliseconds; 0: unknown. */
  durationMs: number;
}

export interface ForecastLimits {
  /** Infinity: none. */
  maxConcurrent: number;
  maxMonthly: number;
  /** Number of runs submitted this month. */
  usedThisMonth: number;
}

export interface ForecastHour {
  atMs: number;
  /** Runs that start in this hour. */
  runs: number;
  /** The most runs at the same moment in this hour. */
  concurrent: number;
  isOverConcurrent: boolean;
  isOverMonthly: boolean;
}

const hourMs = 3_600_000;

/** @param fromMs the beginning of an hour, in the month of `limits` */
export function forecastHours(runs: readonly PlannedRun[], fromMs: number, hours: number, limits: ForecastLimits): ForecastHour[] {
  const all = Array.from({ length: hours }, (_, place) => ({ atMs: fromMs + place * hourMs, runs: 0, concurrent: 0 }));
  const hourOf = (ms: number) => all[Math.floor((ms - fromMs) / hourMs)];
  for (const { atMs } of runs) {
    const hour = hourOf(atMs);
    if (hour) hour.runs++;
  }
  countConcurrent(runs, all, hourOf);
  let [month, submitted] = [monthOf(fromMs), limits.usedThisMonth];
  return all.map((hour) => {
    if (monthOf(hour.atMs) !== month) [month, submitted] = [monthOf(hour.atMs), 0];
    submitted += hour.runs;
    return {
      ...hour,
      isOverConcurrent: hour.concurrent > limits.maxConcurrent,
      isOverMonthly: hour.runs > 0 && submitted > limits.maxMonthly,
    };
  });
}

interface CountedHour {
  atMs: number;
  concurrent: number;
}

/** Goes through the starts and ends in order. At the same moment, ends come first: a run that ends frees its place for the next one. */
function countConcurrent(
  runs: readonly PlannedRun[],
  hours: readonly CountedHour[],
  hourOf: (ms: number) => CountedHour | undefined,
): void {
  const changes = runs.flatMap(({ atMs, durationMs }) => [
    { atMs, by: 1 },
    // A run of unknown duration counts only at its start.
    { atMs: atMs + Math.max(1, durationMs), by: -1 },
  ]);
  changes.sort((one, other) => one.atMs - other.atMs || one.by - other.by);
  let open = 0;
  let next = 0;
  for (const hour of hours) {
    hour.concurrent = open;
    for (; next < changes.length && changes[next]!.atMs < hour.atMs + hourMs; next++) {
      open += changes[next]!.by;
      if (hourOf(changes[next]!.atMs) === hour) hour.concurrent = Math.max(hour.concurrent, open);
      // Runs that end exactly at its beginning do not count in this hour.
      if (changes[next]!.atMs === hour.atMs && changes[next]!.by < 0) hour.concurrent = open;
    }
  }
}

const monthOf = (ms: number) => new Date(ms).toISOString().slice(0, 7);

/**
 * The runs that a schedule starts at these times: with `skip`, none while its last run is still running; with `cancel`, each run ends the
 * one before.
 * @param durationMs 0: unknown
 */
export function plannedRuns(timesMs: readonly number[], durationMs: number, overlapPolicy: "skip" | "queue" | "cancel"): PlannedRun[] {
  const runs: PlannedRun[] = [];
  for (const [place, atMs] of timesMs.entries()) {
    const last = runs.at(-1);
    if (overlapPolicy === "skip" && last !== undefined && last.atMs + last.durationMs > atMs) continue;
    const untilNext = (timesMs[place + 1] ?? Number.POSITIVE_INFINITY) - atMs;
    runs.push({ atMs, durationMs: overlapPolicy === "cancel" ? Math.min(durationMs, untilNext) : durationMs });
  }
  return runs;
}
