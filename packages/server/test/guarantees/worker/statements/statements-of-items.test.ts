import { beforeEach, expect, test } from "vitest";
import type { AttemptOutcome } from "../../../../src/core/run/finish-task.ts";
import { createKnownRuns, loadInputs } from "../../../../src/domain/run/attempt-scope.ts";
import { EndRecorder } from "../../../../src/domain/run/end-recorder.ts";
import { completeAndClaim, type NextClaims, type PlannedChange } from "../../../../src/store/run/run-changes.ts";
import { type Claim, claimTaskRuns } from "../../../../src/store/worker/workers.ts";
import { testDatabase } from "../../../kit/database.ts";
import { engineKit } from "../../../kit/engine-kit.ts";
import { node, workflow } from "../../../kit/run-simulator.ts";

/** What the items of a forEach ask of the database: none of it may grow with the length of the list. */
const statements: string[] = [];
const { sql } = await testDatabase({ onStatement: (text) => void statements.push(text) });
const kit = engineKit(sql);
const ends = new EndRecorder({ ...kit, advance: (work) => kit.driver.advance(work) });
const workerId = await kit.worker({ slots: 64 });
const count = (text: string) => statements.filter((one) => one.includes(text)).length;

// Otherwise a claim is for the run of the test before.
beforeEach(() => sql`truncate team, task_run cascade`);

/** A run of this many items, of which the first have been claimed. */
async function fanOut(length: number): Promise<Claim[]> {
  const team = await kit.team();
  const items = Array.from({ length }, (_, index) => `item ${index}`);
  const script = { params: [{ name: "script", value: "echo $(item.value)" }], forEach: { items, parallel: length } };
  await kit.workflow(team, "fan-out", workflow(node("each", "script", ["start"], script)));
  await kit.submit(team, "fan-out");
  await kit.settle();
  return claim(8);
}

async function claim(wanted: number): Promise<Claim[]> {
  const claims = await claimTaskRuns(sql, workerId, wanted, ["process"], [], 0, []);
  for (const one of claims) kit.context.states.claimed(one, workerId);
  return claims;
}

/** Ends attempts of one run together, and claims as many. @param meanwhile runs after the commit, before the response is processed */
async function end(claims: readonly Claim[], meanwhile = async () => {}): Promise<Claim[]> {
  const outcome: AttemptOutcome = { status: "succeeded", reason: "Succeeded", message: "", results: [] };
  const [{ teamId, runId }] = claims as [Claim];
  const events = claims.map(({ id, attempt }) => ({ kind: "ended" as const, taskRunId: id, attempt, outcome }));
  const next: NextClaims = { workerId, wanted: claims.length, needs: ["process"], labels: [] };
  const write = async (changes: readonly PlannedChange[]) => {
    const written = await completeAndClaim(sql, changes, next);
    await meanwhile();
    return written;
  };
  return (await ends.record([{ teamId, id: runId, events }], { workerId, write })).claims;
}

test("the next item of a list is prepared without a query, with its value", async () => {
  const recent = createKnownRuns();
  const [first] = await fanOut(50);
  await loadInputs(sql, kit.context, recent, [first!]);
  const [next] = await end([first!]);
  statements.length = 0;
  const { values } = await loadInputs(sql, kit.context, recent, [next!]);
  expect(statements).toEqual([]);
  const [list] = values.map(({ params }) => params.find(({ name }) => name === "items")?.value);
  expect((list as string[])[next!.item!]).toBe(`item ${next!.item}`);
});

test("an item that was claimed while another one ended ends without reading the run", async () => {
  const [first] = await fanOut(50);
  let other: Claim | undefined;
  await end([first!], async () => {
    [other] = await claim(1);
  });
  statements.length = 0;
  await end([other!]);
  expect(count("from task_run")).toBe(0);
  expect(count("complete_and_claim(")).toBe(1);
});

test("items that end together are followed by as many, also if all are of one team", async () => {
  const ended = await fanOut(50);
  // Free slots are filled half by half, so that other workers get some of a burst.
  expect(ended).toHaveLength(4);
  expect(await end(ended)).toHaveLength(4);
});

test("the next items are shared with another team that waits", async () => {
  const ended = await fanOut(50);
  const others = await fanOut(50);
  const next = await end(ended);
  expect(next).toHaveLength(4);
  expect(next.filter(({ teamId }) => teamId === others[0]!.teamId)).toHaveLength(2);
});
