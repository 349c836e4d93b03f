import { expect, test } from "vitest";
import { createKnownRuns, loadInputs } from "../../../src/domain/run/attempt-scope.ts";
import { AttemptCompleter } from "../../../src/engine/attempt-finisher.ts";
import type { NextClaims } from "../../../src/store/run/run-changes.ts";
import type { Claim } from "../../../src/store/worker/workers.ts";
import { testDatabase } from "../../kit/database.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";

const statements: string[] = [];
const { sql } = await testDatabase({ onStatement: (text) => void statements.push(text) });
const kit = engineKit(sql);
const completer = new AttemptCompleter(kit);
const workerId = await kit.worker();
const recent = createKnownRuns();

/** Loads the inputs of a claim. @returns whether the run was read from the database, the ID of the run, and the values */
async function load(claim: Claim) {
  statements.length = 0;
  const { runs, values } = await loadInputs(sql, kit.context, recent, [claim]);
  const isRead = statements.some((text) => text.includes("from run join team"));
  return { isRead, run: runs.get(claim.runId)?.id, values: values.map(({ results }) => results) };
}

async function chain(second: string) {
  const team = await kit.team();
  const script = (text: string) => ({ params: [{ name: "script", value: text }], results: [{ name: "x" }] });
  await kit.workflow(
    team,
    "chain",
    workflow(node("one", "script", ["start"], script(":")), node("two", "script", ["one"], script(second))),
  );
  const { id } = await kit.submit(team, "chain");
  await kit.settle();
  return { team, id, claim: await kit.claim(workerId, team) };
}

async function endAndClaim({ teamId, runId, id, attempt }: Claim): Promise<Claim[]> {
  const results = [{ name: "x", value: "of one" }];
  const outcome = { status: "succeeded", reason: "Succeeded", message: "", results } as const;
  const next: NextClaims = { workerId, wanted: 1, needs: ["process"], labels: [] };
  return (await completer.complete([{ teamId, id: runId, events: [{ kind: "ended", taskRunId: id, attempt, outcome }] }], next)) ?? [];
}

test("the second step of a run is prepared without a query, with the results of the first", async () => {
  const { id, claim } = await chain("echo $(tasks.one.results.x)");
  kit.context.states.claimed(claim, workerId);
  expect(await load(claim)).toEqual({ isRead: true, run: id, values: [] });
  const [second] = await endAndClaim(claim);
  expect(await load(second!)).toEqual({ isRead: false, run: id, values: [[{ name: "x", value: "of one" }]] });
  expect(statements).toEqual([]);
});

test("the inputs of a claim that is not in memory are read, and so are those of another team", async () => {
  const { claim } = await chain(":");
  kit.context.states.claimed(claim, workerId);
  await load(claim);
  const [second] = await endAndClaim(claim);
  expect((await load({ ...second!, attempt: 2 })).isRead).toBe(true);
  expect(await load({ ...second!, teamId: await kit.team() })).toEqual({ isRead: true, run: undefined, values: [] });
  kit.context.states.delete(second!.runId);
  expect((await load(second!)).isRead).toBe(true);
});
