import fc from "fast-check";
import { expect, test } from "vitest";
import { ancestorsOf } from "./check-graph-cycle.ts";

const node = (name: string, ...after: string[]) => ({ name, dependencies: after.map((taskRef) => ({ taskRef })) });

test("is before is the transitive closure of the dependencies", () => {
  const graph = fc.integer({ min: 1, max: 70 }).chain((size) =>
    fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 150 }).map((pairs) => ({
      size,
      edges: pairs.filter(([one, other]) => one < other),
    })),
  );
  fc.assert(
    fc.property(graph, ({ size, edges }) => {
      const upstream = (index: number) => edges.filter(([, other]) => other === index).map(([one]) => one);
      const names = Array.from({ length: size }, (_, index) => `n${index}`);
      const { isBefore } = ancestorsOf(names.map((name, index) => node(name, ...upstream(index).map((one) => `n${one}`))));
      const reach = (from: number): Set<number> => new Set(upstream(from).flatMap((one) => [one, ...reach(one)]));
      for (let other = 0; other < size; other += 7) {
        const before = reach(other);
        for (let one = 0; one < size; one++) expect(isBefore(one, other)).toBe(before.has(one));
      }
    }),
    { numRuns: 40 },
  );
});

test("start comes before all, and all before end, without an edge", () => {
  const { isBefore } = ancestorsOf([node("start"), node("a"), node("end")]);
  expect([isBefore(0, 1), isBefore(1, 2), isBefore(1, 0), isBefore(2, 1)]).toEqual([true, true, false, false]);
});

test("in a cycle nothing is before anything", () => {
  const { isBefore } = ancestorsOf([node("a", "b"), node("b", "a")]);
  expect([isBefore(0, 1), isBefore(1, 0)]).toEqual([false, false]);
});
