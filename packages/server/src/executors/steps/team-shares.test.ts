import { expect, test } from "vitest";
import { nicenessOf, sharesOf, TeamAttempts } from "./team-shares.ts";

test.each([
  [1, 0],
  [2, 3],
  [10, 10],
  [64, 19],
  [1000, 19],
])("a team with %i attempts is nice by %i", (attempts, niceness) => {
  expect(nicenessOf(attempts)).toBe(niceness);
});

test("the shares of a team's attempts add up to the share of the team", () => {
  for (const attempts of [1, 2, 8, 64]) expect(sharesOf(attempts) * attempts).toBe(102_400);
  expect(sharesOf(1_000_000)).toBe(2);
});

test("attempts are counted by team until they end", () => {
  const running = new TeamAttempts();
  running.begin("a");
  running.begin("a");
  running.begin("b");
  running.end("a");
  expect([running.count("a"), running.count("b"), running.count("c")]).toEqual([1, 1, 0]);
});
