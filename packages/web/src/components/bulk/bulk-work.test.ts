import { expect, test } from "vitest";
import { type BulkOutcome, bulkSummary, workThrough } from "./bulk-work.ts";

test("each item gets its own outcome, and a refusal doesn't stop the others", async () => {
  const outcomes: BulkOutcome[] = [];
  const work = async (thing: string) => {
    if (thing === "b") throw new Error("it is over");
    return `${thing} cancelled`;
  };
  await workThrough(["a", "b", "c"], work, (index, outcome) => {
    outcomes[index] = outcome;
  });
  expect(outcomes).toEqual([
    { state: "done", message: "a cancelled" },
    { state: "refused", message: "it is over" },
    { state: "done", message: "c cancelled" },
  ]);
  expect(bulkSummary(outcomes)).toBe("2 done, 1 refused");
});

test("only a limited number run at the same time", async () => {
  let working = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++working);
    await new Promise(setImmediate);
    working--;
    return "done";
  };
  await workThrough([1, 2, 3, 4, 5, 6], work, () => {}, 2);
  expect(most).toBe(2);
});

test.each<[BulkOutcome["state"][], string]>([
  [["done"], "1 done"],
  [["done", "waiting", "working"], "1 done, 2 remaining"],
  [["refused", "refused"], "0 done, 2 refused"],
])("%j reads %s", (states, text) => {
  expect(bulkSummary(states.map((state) => ({ state })))).toBe(text);
});
