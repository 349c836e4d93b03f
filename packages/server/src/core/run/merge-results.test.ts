import fc from "fast-check";
import { expect, test } from "vitest";
import { expectWork } from "../../../test/kit/processor-ms.ts";
import { NamedResults } from "./merge-results.ts";
import { lengthOf } from "./result-sizes.ts";
import type { RunResult } from "./run-state.ts";

const result = fc.record({ name: fc.constantFrom("a", "b", "c", "d"), value: fc.jsonValue() }) as fc.Arbitrary<RunResult>;

test("the newest value of each name wins, in the order of their first appearance", () => {
  fc.assert(
    fc.property(fc.array(result), fc.array(fc.array(result)), (first, later) => {
      const results = new NamedResults(first);
      for (const more of later) expect(results.add(more, Number.POSITIVE_INFINITY)).toBe(true);
      const expected = new Map<string, RunResult>();
      for (const one of [...first, ...later.flat()]) expected.set(one.name, { ...expected.get(one.name), ...one });
      expect(results.list).toEqual([...expected.values()]);
    }),
  );
});

test("what would become too long changes nothing", () => {
  fc.assert(
    fc.property(fc.array(result), fc.array(fc.array(result)), fc.integer({ min: 10, max: 200 }), (first, later, maxLength) => {
      const results = new NamedResults(first);
      for (const more of later) {
        const before = structuredClone(results.list);
        const whole = new NamedResults(before);
        whole.add(more, Number.POSITIVE_INFINITY);
        const wasAdded = results.add(more, maxLength);
        expect(wasAdded).toBe(lengthOf(whole.list) <= maxLength);
        expect(results.list).toEqual(wasAdded ? whole.list : before);
      }
    }),
  );
});

test("adding one takes no longer when there are many", () => {
  expectWork(400, () => {
    const results = new NamedResults([]);
    for (let index = 0; index < 20_000; index++) results.add([{ name: `result ${index}`, value: index }], Number.POSITIVE_INFINITY);
    expect(results.list).toHaveLength(20_000);
  });
});
