import fc from "fast-check";
import { expect, test } from "vitest";
import { lateMs, maxReturns, noWatch, returnMs, type WorkerWatch, watchWorkers } from "./worker-watch.ts";

/** The shortest possible lease, the default, and a long one. */
const leases = [5_000, 8_000, 30_000];

/**
 * A timeline in ms: the database responds except during outages, a worker sends heartbeats until it dies, an engine looks when it should.
 */
interface Timeline {
  leaseMs: number;
  outages: { start: number; ms: number }[];
  /** When the worker is killed. */
  diesAt: number;
  /** The interval between heartbeats, and the time to reconnect after an outage. */
  beatMs: number;
  returnAfterMs: number;
  /** How late each look is. */
  lateMs: number;
  endsAt: number;
}

function isAway({ outages }: Timeline, at: number): boolean {
  return outages.some(({ start, ms }) => at >= start && at < start + ms);
}

/** @returns when the engine considers the worker lost */
function play(timeline: Timeline): number | undefined {
  let watch: WorkerWatch = noWatch;
  let until = timeline.leaseMs;
  let nextBeat = timeline.beatMs;
  let nextLook = 0;
  for (let at = 0; at < timeline.endsAt; at += 50) {
    if (at >= nextBeat && at < timeline.diesAt) {
      if (isAway(timeline, at)) nextBeat = at + timeline.returnAfterMs;
      else {
        until = at + timeline.leaseMs;
        nextBeat = at + timeline.beatMs;
      }
    }
    if (at < nextLook || isAway(timeline, at)) continue;
    const result = watchWorkers(watch, { now: at, workers: [{ id: "w", until }] });
    watch = result.watch;
    nextLook = at + watch.pauseMs + timeline.lateMs;
    if (result.lost.length > 0) return at;
  }
  return undefined;
}

const outages = fc.array(fc.record({ start: fc.integer({ min: 0, max: 300_000 }), ms: fc.integer({ min: 50, max: 90_000 }) }), {
  maxLength: 6,
});
const living = fc.constantFrom(...leases).chain((leaseMs) =>
  fc.record({
    leaseMs: fc.constant(leaseMs),
    outages,
    diesAt: fc.constant(Number.POSITIVE_INFINITY),
    beatMs: fc.integer({ min: 200, max: leaseMs / 4 }),
    returnAfterMs: fc.integer({ min: 50, max: 1_000 }),
    lateMs: fc.integer({ min: 0, max: 900 }),
    endsAt: fc.constant(400_000),
  }),
);

test("a worker that sends its heartbeats is never lost, however long and often the database is away", () => {
  fc.assert(
    fc.property(living, (timeline) => {
      expect(play(timeline)).toBeUndefined();
    }),
  );
});

test("a worker killed while the database responds is lost within its lease, even with late checks", () => {
  fc.assert(
    fc.property(living, fc.integer({ min: 10_000, max: 200_000 }), (timeline, diesAt) => {
      const lostAt = play({ ...timeline, outages: [], diesAt }) as number;
      expect(lostAt).toBeGreaterThan(diesAt);
      expect(lostAt - diesAt).toBeLessThanOrEqual(timeline.leaseMs + 2 * timeline.lateMs + 100);
    }),
  );
});

test("a worker that is killed is lost in the end, whatever the database does", () => {
  fc.assert(
    fc.property(living, fc.integer({ min: 10_000, max: 200_000 }), (timeline, diesAt) => {
      expect(play({ ...timeline, diesAt, endsAt: 1_500_000 })).toBeGreaterThan(diesAt);
    }),
  );
});

test("repeated outages protect a worker without heartbeats only a few times", () => {
  let watch: WorkerWatch = noWatch;
  const lostAt: number[] = [];
  for (let [look, now] = [0, 0]; look < maxReturns + 5; look++, now += watch.pauseMs + lateMs + 1) {
    const result = watchWorkers(watch, { now, workers: [{ id: "w", until: 100 }] });
    watch = result.watch;
    if (result.lost.length > 0) lostAt.push(look);
  }
  expect(lostAt[0]).toBe(maxReturns);
});

test("a new engine gives every worker time to report; one that sees the worker end gives none", () => {
  const first = watchWorkers(noWatch, { now: 1_000_000, workers: [{ id: "old", until: 10 }] });
  expect(first.lost).toEqual([]);
  expect(first.watch.workers.get("old")?.leftMs).toBe(returnMs);
  const second = watchWorkers(first.watch, { now: 1_000_500, workers: [{ id: "old", until: 1_000_500 }] });
  expect(second.lost).toEqual(["old"]);
  const back = watchWorkers(second.watch, { now: 900_000, workers: [{ id: "old", until: 1_000_500 }] });
  expect(back.lost, "the clock went back: this is a gap").toEqual([]);
});

test("after a clock that was set back, a dead worker is lost within its lease, seen before or not, and a living one is not", () => {
  const hour = 3_600_000;
  const leaseMs = 8_000;
  for (const sawItBefore of [true, false]) {
    let watch = noWatch;
    if (sawItBefore) watch = watchWorkers(noWatch, { now: hour, workers: [{ id: "dead", until: hour + leaseMs, leaseMs }] }).watch;
    let lostAt: number | undefined;
    for (let now = 0; now < 60_000 && lostAt === undefined; now += watch.pauseMs) {
      const living = { id: "living", until: now - (now % 2_000) + leaseMs, leaseMs };
      const result = watchWorkers(watch, { now, workers: [{ id: "dead", until: hour + leaseMs, leaseMs }, living] });
      watch = result.watch;
      expect(result.lost).not.toContain("living");
      if (result.lost.length > 0) [lostAt] = [now, expect(result.ahead).toEqual(["dead"])];
    }
    expect(lostAt).toBeLessThanOrEqual(leaseMs + 1_000);
  }
});
