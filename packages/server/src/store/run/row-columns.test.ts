import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { node, RunSimulator, workflow } from "../../../test/kit/run-simulator.ts";
import { repositoryRoot } from "../../base/file/repository-root.ts";
import { encodeRun } from "./new-runs.ts";
import { newTaskRow, updatedRow } from "./run-rows.ts";

/**
 * Runs are written by the type of their table. For task runs that costs too much
 * (docs/adr/0097-runs-are-written-by-the-type-of-their-table.md), so several statements name their columns. A column that one of them
 * forgets would silently be null.
 */
const read = (path: string) => readFileSync(join(repositoryRoot, "packages/server", path), "utf8");
const functions = read("src/store/functions/apply-run-changes.sql");
const bodyOf = (name: string) => new RegExp(`function ${name}\\([\\s\\S]*?\\n {2}\\$\\$;`).exec(functions)?.[0] ?? "";
const names = (list = "") => [...list.matchAll(/(?:^|,)\s*(\w+)/g)].map(([, name]) => name as string).sort();
/** `name type, name type` between the following parentheses. */
const membersAfter = (text: string, before: string) => names(text.split(before)[1]?.match(/^\(([^()]*)\)/)?.[1]);
const columnsOf = (table: string) =>
  names(new RegExp(`create table ${table} \\(\\n([\\s\\S]*?),\\n {2}constraint`).exec(read("migrations/schema.sql"))?.[1]);

const run = new RunSimulator(workflow(node("first", "template")), { heldFor: "slot" });
const [task] = run.state.nodes;
const newRow = Object.keys(newTaskRow(run.plan, run.state, task!));
const filled = ["created_at"];

test("a new task run has every column, in both statements that write one", () => {
  const columns = columnsOf("task_run").filter((name) => !filled.includes(name));
  expect(columns).toContain("wait_kind");
  for (const name of ["insert_task_runs", "insert_items"]) expect(membersAfter(bodyOf(name), "insert into task_run ")).toEqual(columns);
  expect([...newRow, "place"].sort()).toEqual(columns);
});

test("what is sent of a task run is what the statements read", () => {
  expect(membersAfter(bodyOf("insert_task_runs"), "(tasks) as t")).toEqual([...newRow].sort());
  const own = ["id", "item", "params", "results", "warnings"];
  expect(membersAfter(bodyOf("insert_items"), '(g."like") as t')).toEqual(newRow.filter((name) => !own.includes(name)).sort());
  const changed = functions.split("update task_run tr")[1] ?? "";
  expect(membersAfter(changed, "(parts.tasks) as j")).toEqual(Object.keys(updatedRow(run.state, task!, task!)).sort());
});

test("a new run says every column, but for those that the table fills", async () => {
  const { row } = await encodeRun({
    state: run.state,
    plan: run.plan,
    now: new Date(0),
    workflowVersion: 1,
    labels: {},
    annotations: {},
    params: [],
    secrets: null,
    workspaces: [],
    initiatedBy: null,
    retryOf: null,
    debug: false,
    slotKey: "slot",
    queueRank: "rank",
  });
  const byTable = ["state_version", "origin_requester", "origin_workflow_id"];
  expect([...Object.keys(JSON.parse(row)), ...byTable].sort()).toEqual(columnsOf("run"));
});
