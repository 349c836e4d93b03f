import { expect, test } from "vitest";
import { AttemptCompleter } from "../../../src/engine/attempt-finisher.ts";
import { testDatabase } from "../../kit/database.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { params } from "../../kit/run-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";

/** A run with content that the database can't store ends with the reason and does not delay other runs. */
const { sql } = await testDatabase();
const kit = engineKit(sql);
await sql.unsafe(`
  create function refuse_poison() returns trigger language plpgsql as $$
  begin
    if new.key = 'slow' then raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end if;
    if new.key = 'poison' then raise exception 'index row size exceeds maximum' using errcode = '54000'; end if;
    return new;
  end $$;
  create trigger refuse_poison before insert on task_lock for each row execute function refuse_poison()`);

const lock = (name: string) => node("lock", "acquirelock", ["before"], params({ key: name }));

test("in the queue it blocks neither its own team nor others", async () => {
  const [bad, good] = [await kit.team(), await kit.team()];
  for (const team of [bad, good]) {
    await kit.workflow(
      team,
      "poison",
      workflow(node("before", "setwfproperty", ["start"], params({ output: "a", value: 1 })), lock("poison")),
    );
    await kit.workflow(team, "pure", workflow(node("before", "setwfproperty", ["start"], params({ output: "a", value: 1 })), lock("key")));
  }
  const poisoned = await kit.submit(bad, "poison");
  const others = [await kit.submit(bad, "pure"), await kit.submit(good, "pure")];
  await kit.settle();
  expect(await kit.run(bad, poisoned.id)).toMatchObject({ status: "invalid", reason: "InternalError" });
  for (const { teamId, id } of others) expect((await kit.run(teamId, id)).status).toBe("succeeded");
});

test("the end of the attempt that causes it is recorded, and so are ends reported with it", async () => {
  const team = await kit.team();
  const completer = new AttemptCompleter({ sql, context: kit.context, bus: kit.bus, driver: kit.driver });
  await kit.workflow(team, "poison", workflow(node("before", "script"), lock("poison")));
  await kit.workflow(team, "plain", workflow(node("before", "script")));
  const runs = [await kit.submit(team, "poison"), await kit.submit(team, "plain")];
  await kit.settle();
  const worker = await kit.worker();
  const claims = [await kit.claim(worker, team), await kit.claim(worker, team)];
  const outcome = { status: "succeeded" as const, reason: "Succeeded", message: "", results: [] };
  await completer.complete(
    claims.map((claim) => ({
      teamId: team,
      id: claim.runId,
      events: [{ kind: "ended" as const, taskRunId: claim.id, attempt: claim.attempt, outcome }],
    })),
    { workerId: worker, wanted: 0, needs: [], labels: [] },
  );
  expect((await kit.run(team, runs[0]!.id)).status).toBe("invalid");
  expect((await kit.run(team, runs[1]!.id)).status).toBe("succeeded");
});

test("a change that always exceeds the statement timeout is given up after a few tries", async () => {
  const team = await kit.team();
  await kit.workflow(team, "slow", workflow(node("before", "setwfproperty", ["start"], params({ output: "a", value: 1 })), lock("slow")));
  const run = await kit.submit(team, "slow");
  const failures: unknown[] = [];
  while (failures.length < 10 && (await kit.run(team, run.id)).phase !== "completed") {
    await kit.driver.tick().catch((error: { code?: string }) => failures.push(error.code));
  }
  expect(failures).toEqual(["57014", "57014", "57014"]);
  expect(await kit.run(team, run.id)).toMatchObject({ status: "invalid", reason: "InternalError" });
});
