import type { AppliedDocument, ApplyProblem } from "@millrace/contract/apply.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { type TestApp, testApp } from "../../../test/kit/app.ts";
import { until } from "../../../test/kit/until.ts";
import { tryLockApply } from "../../store/team/teams.ts";

/** What a set reveals about objects that the caller can't read, and how it affects others who write or apply at the same time. */
const app: TestApp = await testApp();
const yaml = { "content-type": "application/yaml" };
let team: { id: string; name: string };
let path: string;

beforeEach(async () => {
  team = await app.make.team();
  path = `/api/v2/team/${team.name}/apply`;
});

const labelled = `kind: Workflow
name: quiet-acquisition
labels: {by: set}
---
kind: Schedule
name: before-the-news
workflowRef: quiet-acquisition
labels: {by: set}
cronSchedule: 0 1 * * *
timezone: UTC
status: inactive
---
kind: Task
name: one
labels: {by: set}
type: script
spec: {script: echo}
`;
const other = "kind: Parameter\nname: region\nvalue: eu\n";

async function waitsForLock(): Promise<boolean> {
  const [row] = await app.sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return row!.count > 0;
}

test("a token that can't create teams doesn't learn which there are", async () => {
  const hidden = await app.make.team();
  const client = app.as(await app.make.teamToken(team.id, ["workflow/write", "team/write"]));
  const problems: unknown[] = [];
  for (const name of [hidden.name, "there-is-none"]) {
    const { body } = await client.post("/api/v2/apply?dryRun=true", `kind: Team\nname: ${name}\n`, yaml);
    problems.push(body.problems.map(({ reason, message }: ApplyProblem) => [reason, message]));
  }
  expect(problems[0]).toEqual(problems[1]);
  expect(problems[0]).toEqual([["PERMISSION_DENIED", expect.any(String)]]);
});

test("a caller without permission for the instance can't block others from applying to it", async () => {
  const client = app.as(await app.make.teamToken(team.id, ["workflow/write"]));
  expect((await client.post("/api/v2/apply?dryRun=true", "kind: Team\nname: x\n", yaml)).status).toBe(403);
});

describe("prune", () => {
  test("names nothing that the caller may neither delete nor read", async () => {
    expect((await app.as().post(path, labelled, yaml)).status).toBe(200);
    const client = app.as(await app.make.teamToken(team.id, ["team/write"]));
    const { text, body } = await client.post(`${path}?dryRun=true&prune=by%3Dset`, other, yaml);
    expect(text).not.toMatch(/quiet-acquisition|before-the-news/);
    expect(body.problems.map(({ kind, reason }: ApplyProblem) => [kind, reason])).toEqual(
      ["Schedule", "Workflow", "Task"].map((kind) => [kind, "PERMISSION_DENIED"]),
    );
    const reader = app.as(await app.make.teamToken(team.id, ["team/write", "workflow/read"]));
    const read = await reader.post(`${path}?dryRun=true&prune=by%3Dset`, other, yaml);
    expect(read.text).toContain("quiet-acquisition");
  });

  test("keeps a task that the set names by its id", async () => {
    const made = await app.as().post(path, labelled, yaml);
    const { id } = made.body.documents.find(({ kind }: AppliedDocument) => kind === "Task");
    const byId = `kind: Task\nname: ${id}\nlabels: {by: set}\ntype: script\nspec: {script: other}\n`;
    const { body } = await app.as().post(`${path}?dryRun=true&prune=by%3Dset`, byId, yaml);
    expect(body.documents.map(({ name, action }: AppliedDocument) => [name, action])).toEqual([
      ["one", "updated"],
      ["before-the-news", "deleted"],
      ["quiet-acquisition", "deleted"],
    ]);
  });

  test.each([
    ["workflow", "quiet-acquisition", "Workflow"],
    ["task", "one", "Task"],
  ])("does not delete a %s whose label is removed at the same time", async (table, name, kind) => {
    expect((await app.as().post(path, labelled, yaml)).status).toBe(200);
    let answer: ReturnType<ReturnType<typeof app.as>["post"]> | undefined;
    await app.sql.begin(async (tx) => {
      await tx.unsafe(`update ${table} set labels = '{}' where team_id = $1 and name = $2`, [team.id, name]);
      answer = app.as().post(`${path}?prune=by%3Dset`, other, yaml);
      await until(waitsForLock, "the set");
    });
    const { status, text } = await answer!;
    expect([status, text]).toEqual([400, expect.stringContaining(`${kind} ${name} was to be deleted, but was changed at the same time`)]);
    const [left] = await app.sql.unsafe(`select deleted_at from ${table} where team_id = $1 and name = $2`, [team.id, name]);
    expect(left).toEqual({ deleted_at: null });
  });
});

test("a set is not read while another one is applied, since it would only hold a connection", async () => {
  const answer = await app.sql.begin(async (tx) => {
    await tryLockApply(tx, team.id);
    return app.as().post(path, []);
  });
  expect(answer.status).toBe(409);
});

test("a caller who loses the permission while waiting for the lock of the team changes nothing", async () => {
  const owner = await app.make.member(team.id, "owner");
  let answer: ReturnType<ReturnType<typeof app.as>["post"]> | undefined;
  await app.sql.begin(async (tx) => {
    await tx`select from team where id = ${team.id} for update`;
    answer = app.as(owner.token).post("/api/v2/apply", `kind: Team\nname: ${team.name}\ndisplayName: Mine\n`, yaml);
    await until(waitsForLock, "the set");
    await tx`delete from team_member where team_id = ${team.id} and user_id = ${owner.id}`;
  });
  expect((await answer!).status).toBe(403);
  const [row] = await app.sql`select display_name from team where id = ${team.id}`;
  expect(row).toEqual({ display_name: team.name });
});

describe("a long document", () => {
  const long = (name: string, characters: number) => ({
    kind: "Task",
    name,
    labels: { by: "set" },
    type: "script",
    spec: { script: "x".repeat(characters) },
  });

  test("is refused where its own endpoint would refuse it, except for a workflow", async () => {
    const { description } = { description: "x".repeat(1100 * 1024) };
    for (const [at, document] of [
      ["/api/v2/apply", { kind: "Parameter", name: "long", value: "x", description }],
      [path, long("long", 1100 * 1024)],
      [path, { apiVersion: "tekton.dev/v1", kind: "Task", metadata: { name: "long" }, spec: { description, steps: [] } }],
    ] as const) {
      const { body } = await app.as().post(`${at}?dryRun=true`, document);
      expect(body.problems.map(({ message }: ApplyProblem) => message)).toEqual([
        expect.stringMatching(/has more than 1048576 characters/),
      ]);
    }
    const { body } = await app.as().post(`${path}?dryRun=true`, { kind: "Workflow", name: "long", annotations: { description } });
    expect(body).toMatchObject({ problems: [], documents: [{ action: "created" }] });
  });

  test("that is too long to be shown can be saved, changed, sent again and pruned", async () => {
    const actions: unknown[] = [];
    for (const [set, query] of [
      [long("long", 700_000), ""],
      [long("long", 700_000), ""],
      [long("long", 800_000), ""],
      [{ kind: "Parameter", name: "region", value: "eu" }, "?prune=by%3Dset"],
    ] as const) {
      const { status, body, text } = await app.as().post(path + query, set);
      expect(status, text.slice(0, 500)).toBe(200);
      const { action, diff, isDiffCut } = body.documents.at(-1);
      actions.push([action, diff, isDiffCut]);
    }
    expect(actions).toEqual([
      ["created", undefined, true],
      ["unchanged", undefined, undefined],
      ["updated", undefined, true],
      ["deleted", undefined, true],
    ]);
  });
});
