import { describe, expect, test } from "vitest";
import { workOnBulk } from "../../../src/domain/run/lists/bulk-runs.ts";
import { allowsRunActions } from "../../../src/http/admit/standing-rights.ts";
import { addVersion } from "../../kit/engine-kit.ts";
import { runKit } from "../../kit/run-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";

/** A rerun has the options that the first run was submitted with. */

const { app, kit, team } = await runKit();
const admin = app.as();
const fails = workflow(node("fail", "runworkflow", ["start"]));
const customer = { params: [{ name: "customer", type: "text" }] };

interface Row {
  priority: number;
  slotKey: string | null;
  heldFor: string | null;
  phase: string;
}

async function rowOf(id: string): Promise<Row> {
  const [row] = await app.sql<Row[]>`
    select (5 - round(extract(epoch from id_date(coalesce(queue_rank, id)) - id_date(id)) / 600))::int as priority,
      slot_key as "slotKey", held_for as "heldFor", phase from run where id = ${id}`;
  return row as Row;
}

/** A failed run of that workflow. */
async function failed(document: Record<string, unknown>, request: Record<string, unknown> = {}, query = "") {
  const made = await team();
  const workflowId = await made.workflow("fails", fails, { ...customer, ...document });
  const { id } = await made.submit("fails", request, query);
  await kit.settle();
  expect((await made.run(id)).status).toBe("failed");
  const at = `${made.path}/workflowrun`;
  const bulk = async (action: object) => {
    const { status } = await admin.post(`${at}/bulk`, { ...action, filter: { workflowruns: [id] } });
    expect(status).toBe(202);
    const parts = { sql: app.sql, context: kit.context, bus: kit.bus, checkRights: allowsRunActions };
    while ((await workOnBulk(parts, new AbortController().signal)) > 0);
    const { content } = (await admin.get(`${at}/query?order=DESC&limit=1`)).body;
    return content[0].id as string;
  };
  const again: Record<string, () => Promise<string>> = {
    "PUT retry": async () => (await admin.put(`${at}/${id}/retry`)).body.id,
    "PUT rerun": async () => (await admin.put(`${at}/${id}/rerun`)).body.id,
    "POST rerun": async () => (await admin.post(`${at}/${id}/rerun`, {})).body.id,
    "bulk retry": () => bulk({ action: "retry" }),
    "bulk rerun": () => bulk({ action: "rerun", rerun: { version: "same" } }),
  };
  return { ...made, workflowId, id, at, again };
}

const ways = ["PUT retry", "PUT rerun", "POST rerun", "bulk retry", "bulk rerun"];

describe.each(ways)("%s", (way) => {
  test("keeps what the submission asked for", async () => {
    const request = {
      ...{ priority: 2, labels: { who: "ann" }, annotations: { note: "x" }, timeout: 7, retries: 0, debug: true },
      params: [{ name: "customer", value: "acme" }],
    };
    const made = await failed({ priority: 7, timeout: 60 }, request);
    const id = (await made.again[way]?.()) as string;
    const run = await made.run(id);
    expect(run).toMatchObject({
      ...{ timeout: 7, debug: true, workflowVersion: 1, params: [{ name: "customer", value: "acme" }] },
      labels: { who: "ann", "millrace.dev/retry-of": made.id },
      annotations: { note: "x" },
    });
    expect((await rowOf(id)).priority).toBe(2);
    expect((await rowOf(made.id)).priority).toBe(2);
  });

  test("waits for the slot of the same key", async () => {
    const made = await failed({ concurrency: { key: "$(params.customer)", max: 1 } }, { params: [{ name: "customer", value: "acme" }] });
    await app.sql`
      insert into run_slot (team_id, workflow_id, kind, key, slot, run_id)
      select team_id, id, 'slot', 'acme', 1, new_id() from workflow where id = ${made.workflowId}`;
    const id = (await made.again[way]?.()) as string;
    expect(await rowOf(id)).toMatchObject({ slotKey: "acme", heldFor: "slot" });
  });

  test("is a run of its own, which collects no events", async () => {
    const document = { debounce: { key: "$(params.customer)", period: "1h" } };
    const made = await failed(document, { params: [{ name: "customer", value: "acme" }] }, "?start=true");
    const id = (await made.again[way]?.()) as string;
    expect(await rowOf(id)).toMatchObject({ heldFor: null });
    await kit.settle();
    expect((await rowOf(id)).phase).toBe("completed");
  });
});

test("an automatic retry keeps the priority and the initiator, and says that it is one", async () => {
  const made = await failed({}, { priority: 1, retries: 1 });
  const { content } = (await admin.get(`${made.at}/query?order=ASC`)).body;
  expect(content).toHaveLength(2);
  expect((await rowOf(content[1].id)).priority).toBe(1);
  expect(content[1].initiatedByRef).toBe(content[0].initiatedByRef);
  expect(content[1].labels).toEqual({ "millrace.dev/retry-of": content[0].id, "millrace.dev/retry": "automatic" });
});

describe("a rerun with a later version", () => {
  test("takes what the first run did not set from that version, and keeps a lower priority that it set", async () => {
    const made = await failed({ timeout: 60, priority: 7 }, { priority: 3 });
    await addVersion(app.sql, made.workflowId, fails, { ...customer, timeout: 90, priority: 4 });
    const { body } = await admin.post(`${made.at}/${made.id}/rerun`, { version: 2 });
    expect(body.timeout).toBe(90);
    expect((await rowOf(body.id)).priority).toBe(3);
    await addVersion(app.sql, made.workflowId, fails, { ...customer, priority: 2 });
    const lower = (await admin.post(`${made.at}/${made.id}/rerun`, { version: 3 })).body;
    expect((await rowOf(lower.id)).priority).toBe(2);
  });

  test("keeps the time-out that it was submitted with, and has the priority of the version if none was asked for", async () => {
    const made = await failed({ timeout: 60 }, { timeout: 7 });
    await addVersion(app.sql, made.workflowId, fails, { ...customer, timeout: 90, priority: 8 });
    const { body } = await admin.post(`${made.at}/${made.id}/rerun`, { version: 2 });
    expect(body.timeout).toBe(7);
    expect((await rowOf(body.id)).priority).toBe(8);
  });
});
