import { describe, expect, test } from "vitest";
import { params, runKit, taskOf } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";

const { app, kit, team, outsider } = await runKit();
const admin = app.as();
const flow = workflow(
  node("wait", "eventwait", ["start"], params({ topic: "go" })),
  node("work", "script", ["start"], params({ script: "echo" })),
);

async function teamWithRuns() {
  const made = await team();
  const workflowId = await made.workflow("flow", flow);
  const runs = [await made.submit("flow"), await made.submit("flow")];
  const query = (text: string) => admin.get(`${made.path}/taskrun/query?${text}`);
  const names = async (text: string) => (await query(text)).body.content.map(({ name }: { name: string }) => name);
  return { ...made, workflowId, runs, query, names };
}

describe("GET taskrun/query", () => {
  test("answers pages of the team's task runs, with true totals", async () => {
    const { query, names, runs } = await teamWithRuns();
    expect(await names("")).toEqual(["start", "wait", "work", "end", "start", "wait", "work", "end"]);
    expect((await query("limit=3&page=2&order=DESC")).body).toMatchObject({
      totalElements: 8,
      totalPages: 3,
      numberOfElements: 2,
      last: true,
    });
    expect(await names("limit=2&order=DESC")).toEqual(["end", "work"]);
    expect((await query("limit=1")).body.content[0]).toMatchObject({ workflowRunRef: runs[0]?.id, workflowName: "flow" });
  });

  test("filters by run, status and type, and says why each waits", async () => {
    const { query, names, runs } = await teamWithRuns();
    expect(await names(`workflowruns=${runs[1]?.id}`)).toEqual(["start", "wait", "work", "end"]);
    expect((await query(`workflowruns=${runs[1]?.id}`)).body.totalElements).toBe(4);
    expect(await names("workflowruns=nonsense")).toEqual([]);
    expect(await names(`statuses=waiting,READY&workflowruns=${runs[0]?.id}`)).toEqual(["wait", "work"]);
    expect(await names("types=eventwait")).toEqual(["wait", "wait"]);
    const { content } = (await query("statuses=waiting")).body;
    expect(content.map(({ waitingFor }: { waitingFor: string }) => waitingFor)).toEqual(
      Array(2).fill('Waiting for an event on topic "go"'),
    );
  });

  test("shows the attempts of each", async () => {
    const { query, claim } = await teamWithRuns();
    await kit.end(await claim(await kit.worker()), { status: "failed", reason: "ExitCode", message: "Exit code 1", exitCode: 1 });
    expect((await query("statuses=failed")).body.content).toMatchObject([{ name: "work", attempts: [{ attempt: 1, exitCode: 1 }] }]);
  });

  test("refuses filters that mean nothing", async () => {
    const { query } = await teamWithRuns();
    for (const text of ["statuses=happy", "types=magic"]) expect(await query(text)).toMatchObject({ status: 400, body: { code: 1001 } });
    for (const text of ["limit=0", "page=-1", "order=x"]) expect((await query(text)).status).toBe(400);
  });

  test("shows a team its own, and a workflow token those of its workflow", async () => {
    const { id, path, workflow: make, submit, member } = await teamWithRuns();
    await teamWithRuns();
    const own = await make("own", flow);
    await submit("own");
    const at = `${path}/taskrun/query`;
    expect((await app.as(null).get(at)).status).toBe(401);
    expect((await (await outsider()).get(at)).status).toBe(404);
    expect((await app.as(await app.make.teamToken(id, ["workflowrun/read"])).get(at)).status).toBe(403);
    expect((await (await member("reader")).get(at)).body.totalElements).toBe(12);
    expect((await app.as(await app.make.workflowToken(id, own)).get(at)).body.totalElements).toBe(4);
    await app.sql`update workflow set deleted_at = db_now() where id = ${own}`;
    expect((await admin.get(at)).body.totalElements).toBe(8);
  });
});

describe("GET taskrun/{id}", () => {
  test("shows what the run shows of it", async () => {
    const { path, run, runs } = await teamWithRuns();
    const whole = await run(runs[0]!.id);
    for (const name of ["start", "wait", "work", "end"]) {
      const shown = taskOf(whole, name);
      expect((await admin.get(`${path}/taskrun/${shown.id}`)).body).toEqual(shown);
    }
  });

  test("does not find those of another team, or of another workflow for a workflow token", async () => {
    const { id, path, run, runs, workflow: make, member, workflowId } = await teamWithRuns();
    const task = taskOf(await run(runs[0]!.id), "wait").id;
    const at = `${path}/taskrun/${task}`;
    const unknown = { status: 404, body: { code: 1501, reason: "TASKRUN_INVALID_REFERENCE" } };
    expect(await admin.get(`${(await team()).path}/taskrun/${task}`)).toMatchObject(unknown);
    expect(await admin.get(`${path}/taskrun/nonsense`)).toMatchObject(unknown);
    expect((await app.as(null).get(at)).status).toBe(401);
    expect((await (await outsider()).get(at)).status).toBe(404);
    expect((await (await member("reader")).get(at)).status).toBe(200);
    expect((await app.as(await app.make.teamToken(id, ["workflowrun/read"])).get(at)).status).toBe(403);
    expect(await app.as(await app.make.workflowToken(id, await make("other", flow))).get(at)).toMatchObject(unknown);
    expect((await app.as(await app.make.workflowToken(id, workflowId)).get(at)).status).toBe(200);
  });
});
