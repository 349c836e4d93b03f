import { expect, test } from "vitest";
import { countTurns } from "../../../test/kit/count-turns.ts";
import { findFitting } from "./find-fitting.ts";

test("costly conditions of many workflows leave others their turns", async () => {
  const costly = { field: "$.text", operation: "matches" as const, value: `${"(?:[ab]?){90}".repeat(5)}x` };
  const workflows = Array.from({ length: 60 }, (_, index) => ({
    id: `workflow-${index}`,
    name: `workflow-${index}`,
    teamId: "team",
    trigger: { enabled: true, conditions: index === 7 ? [] : [costly] },
  }));
  const { result, turns } = await countTurns(() => findFitting(workflows, { document: { text: "a".repeat(16_000) } }));
  expect(result.map(({ id }) => id)).toEqual(["workflow-7"]);
  // Each takes between 4 ms on a fast machine and 100, so not all of them end a turn.
  expect(turns).toBeGreaterThanOrEqual(19);
});
