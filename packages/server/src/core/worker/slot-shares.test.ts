import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { reservedSlots, slotsToTake, type WorkerLoad } from "./slot-shares.ts";

const load = (more: Partial<WorkerLoad> = {}): WorkerLoad => ({
  slots: 16,
  busy: 0,
  held: 0,
  otherHolders: 0,
  hasSeveralTeams: true,
  ...more,
});

/** Some teams take as many slots as they can and leave a part of the reserve; then the other teams take one each of that. */
function fewestToFill(reserved: number): number {
  const ways = Array.from({ length: reserved }, (_, index) => index + 1);
  return Math.min(...ways.map((greedy) => greedy + Math.ceil(reserved / greedy)));
}

describe("the slots of a worker", () => {
  test.each([
    [1, 0],
    [3, 0],
    [4, 1],
    [7, 1],
    [8, 2],
    [16, 4],
    [100, 25],
  ])("of %i slots %i are kept for other teams", (slots, reserved) => {
    expect(reservedSlots(slots)).toBe(reserved);
  });

  test.each<[string, Partial<WorkerLoad>, number]>([
    ["the only team takes all", { hasSeveralTeams: false }, 16],
    ["the first team takes three quarters", {}, 12],
    ["and no more than that", { busy: 12, held: 12 }, 0],
    ["a second team shares the reserve", { busy: 12, otherHolders: 1 }, 2],
    ["and leaves a part of it", { busy: 14, held: 2, otherHolders: 1 }, 0],
    ["a third team starts at once", { busy: 14, otherHolders: 2 }, 1],
    ["and so does a fourth", { busy: 15, otherHolders: 3 }, 1],
    ["nobody gets what is not there", { busy: 16, otherHolders: 4 }, 0],
    ["a small worker has no reserve", { slots: 3 }, 3],
    ["a worker of four keeps one", { slots: 4 }, 3],
  ])("%s", (_, more, expected) => {
    expect(slotsToTake(load(more))).toBe(expected);
  });

  test("whatever teams do, one alone leaves the reserve, and it takes several to fill a worker", () => {
    const claims = fc.array(fc.record({ team: fc.nat(5), wanted: fc.integer({ min: 1, max: 40 }) }), { maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 64 }), claims, (slots, all) => {
        const held = new Map<number, number>();
        const busy = () => [...held.values()].reduce((sum, count) => sum + count, 0);
        for (const { team, wanted } of all) {
          const own = held.get(team) ?? 0;
          const room = slotsToTake({ slots, busy: busy(), held: own, otherHolders: held.size - (own > 0 ? 1 : 0), hasSeveralTeams: true });
          if (room > 0) held.set(team, own + Math.min(room, wanted));
          expect(busy()).toBeLessThanOrEqual(slots);
          for (const count of held.values()) expect(count).toBeLessThanOrEqual(slots - reservedSlots(slots));
          if (held.size < 2) expect(slots - busy()).toBeGreaterThanOrEqual(reservedSlots(slots));
          if (busy() === slots) expect(held.size).toBeGreaterThanOrEqual(fewestToFill(reservedSlots(slots)));
        }
      }),
    );
  });
});
