import { expect, test } from "vitest";
import { testDatabase } from "../../../test/kit/database.ts";
import { engineKit } from "../../../test/kit/engine-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";

const { sql } = await testDatabase();
const kit = engineKit(sql);
const hour = { params: [{ name: "duration", value: 3_600_000 }] };

test("a run that only waits takes no memory, and goes on when it is due", async () => {
  const team = await kit.team();
  await kit.workflow(
    team,
    "naps",
    workflow(
      node("nap", "sleep", ["start"], hour),
      node("work", "script", ["nap"], { params: [{ name: "script", value: ":" }] }),
      node("rest", "sleep", ["work"], hour),
    ),
  );
  const { id } = await kit.submit(team, "naps");
  await kit.settle();
  expect((await kit.run(team, id)).phase).toBe("running");
  expect(kit.context.states.get(id)).toBeUndefined();

  await sql`update task_run set due_at = db_now() where run_id = ${id} and due_at is not null`;
  await sql`update run set due_at = db_now() where id = ${id}`;
  await kit.settle();
  expect(kit.context.states.get(id)?.nodes.find(({ name }) => name === "work")?.status).toBe("ready");
  await kit.end(await kit.claim(await kit.worker(), team));
  expect((await kit.tasks(team, id)).find(({ name }) => name === "rest")?.status).toBe("waiting");
  expect(kit.context.states.get(id)).toBeUndefined();
});
