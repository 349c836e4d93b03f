import { expect, test } from "vitest";
import { countTurns } from "../../../test/kit/count-turns.ts";
import { atOnce, flatMapSteps, inSlices, pauseIfLarge, type Steps } from "./slices.ts";

/** Each part takes a few ms, so that a slice ends after some of them. */
function* slowly(parts: number): Steps<number> {
  for (let part = 0; part < parts; part++) {
    const begin = performance.now();
    while (performance.now() - begin < 4);
    yield;
  }
  return parts;
}

test("other work gets its turn after each slice", async () => {
  const { turns, result } = await countTurns(() => inSlices(slowly(30)));
  expect(result).toBe(30);
  expect(turns).toBeGreaterThanOrEqual(10);
});

test("what is short is over in one turn", async () => {
  let isLater = false;
  setImmediate(() => (isLater = true));
  expect(await inSlices(flatMapSteps([1, 2], (item) => [item, item]))).toEqual([1, 1, 2, 2]);
  expect(isLater).toBe(false);
});

test("all parts at once", () => {
  expect(atOnce(slowly(2))).toBe(2);
});

test("an error ends it", async () => {
  const fail = () => {
    throw new Error("no");
  };
  await expect(inSlices(flatMapSteps([1], fail))).rejects.toThrow("no");
});

test.each([
  [10, false],
  [500, true],
])("after a list of %d, others had their turn: %s", async (size, expected) => {
  let hadTurn = false;
  setImmediate(() => (hadTurn = true));
  await pauseIfLarge(size);
  expect(hadTurn).toBe(expected);
});
