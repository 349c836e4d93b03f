import { describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";

const app = await testApp();
const yaml = { "content-type": "application/x-yaml" };
const spec = { script: "one" };

async function teamWithEditor() {
  const team = await app.make.team();
  const editor = app.as((await app.make.member(team.id, "editor")).token);
  return { team, editor, path: `/api/v2/team/${team.name}/task`, reader: app.as((await app.make.member(team.id, "reader")).token) };
}

/** A workflow version that uses the task, like one written by a save of a workflow. */
async function workflowUsing(teamId: string, taskName: string) {
  const [workflow] = await app.sql`
    insert into workflow (team_id, name, display_name, triggers, latest_version) values (${teamId}, 'user', 'user', '{}', 1) returning id`;
  const [version] = await app.sql`
    insert into workflow_version (team_id, workflow_id, version, document) values (${teamId}, ${workflow!["id"]}, 1, '{}') returning id`;
  await app.sql`
    insert into workflow_version_task (team_id, workflow_version_id, task_id, version, task_version_id)
    select ${teamId}, ${version!["id"]}, t.id, v.version, v.id from task t join task_version v on v.task_id = t.id and v.version = t.latest_version and v.replaced_at is null
    where t.name = ${taskName} and (t.team_id = ${teamId} or t.team_id is null)`;
  return async () => {
    const [row] = await app.sql`
      select v.spec, v.version from workflow_version_task u join task_version v on v.id = u.task_version_id
      where u.workflow_version_id = ${version!["id"]}`;
    return row;
  };
}

describe("PUT", () => {
  test("creates what is not there, under the name of the path", async () => {
    const { path, editor } = await teamWithEditor();
    const answer = await editor.put(`${path}/by-path`, { name: "by-body", spec });
    expect(answer.body).toMatchObject({
      name: "by-path",
      displayName: "by-path",
      version: 1,
      changelog: { reason: "Initial Task Template" },
    });
    const document = "apiVersion: tekton.dev/v1\nkind: Task\nmetadata: {name: by-body}\nspec: {steps: [{script: x}]}\n";
    expect((await editor.put(`${path}/by-path-2`, document, yaml)).body).toMatchObject({ name: "by-path-2", version: 1 });
    expect((await editor.put(`${path}/query`, { spec })).status).toBe(405);
    expect((await editor.put(`${path}/VALIDATE`, { spec })).body.reason).toBe("TASK_ALREADY_EXISTS");
    expect((await editor.put(`${path}/a_b`, { spec })).body.reason).toBe("TASK_INVALID_NAME");
    expect((await editor.put(`${path}/0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e`, { spec })).status).toBe(404);
  });

  test("null removes a label or an annotation, in YAML and in JSON; the text 'null' stays a text", async () => {
    const { path, editor } = await teamWithEditor();
    const document = (labels: string, annotations: string) =>
      `apiVersion: tekton.dev/v1\nkind: Task\nmetadata:\n  name: t\n  labels: ${labels}\n  annotations: ${annotations}\nspec: {steps: [{script: x}]}\n`;
    await editor.put(`${path}/t`, document('{a: "1", b: 1.10, c: "null"}', "{x: y, z: w}"), yaml);
    const second = await editor.put(`${path}/t`, document("{a: null, d: }", "{x: null}"), yaml);
    expect(second.body.labels).toEqual({ b: "1.10", c: "null" });
    expect(second.body.annotations).toEqual({ z: "w" });
  });

  test("writes a new version; what is not versioned is the same for all, labels and annotations are merged", async () => {
    const { path, editor } = await teamWithEditor();
    const first = await editor.put(`${path}/t`, {
      displayName: "First",
      type: "script",
      description: "old",
      labels: { a: "1", b: "1", gone: "soon" },
      annotations: { x: 1, gone: "soon" },
      spec,
    });
    const second = await editor.put(`${path}/t`, {
      displayName: "Second",
      labels: { b: "2", gone: null },
      annotations: { y: [2], gone: null },
      changelog: { reason: "better" },
      spec: { script: "two" },
    });
    expect(second.body).toMatchObject({
      id: first.body.id,
      version: 2,
      type: "script",
      displayName: "Second",
      creationDate: first.body.creationDate,
      labels: { a: "1", b: "2" },
      changelog: { reason: "better" },
      spec: { script: "two" },
    });
    expect(second.body.annotations).toEqual({ x: 1, y: [2] });
    expect(second.body.labels).toEqual({ a: "1", b: "2" });
    expect(second.body).not.toHaveProperty("description");
    const old = await editor.get(`${path}/t?version=1`);
    expect(old.body).toMatchObject({ version: 1, displayName: "First", description: "old", labels: { a: "1", b: "2" }, spec });
    const changes = await editor.get(`${path}/t/changelog`);
    expect(changes.body).toMatchObject([
      { version: 1, reason: "Initial Task Template", author: expect.any(String), date: first.body.changelog.date },
      { version: 2, reason: "better" },
    ]);
    expect((await editor.get(`${path}/unknown/changelog`)).body).toMatchObject({ code: 1401, reason: "TASK_INVALID_REFERENCE" });
  });

  test("the type never changes, and the error says so", async () => {
    const { path, editor } = await teamWithEditor();
    await editor.put(`${path}/t`, { type: "script", spec });
    const answer = await editor.put(`${path}/t`, { type: "Template", spec });
    expect(answer.body.type).toBe("script");
    expect(answer.headers["warning"]).toBe('299 - "the type of a task never changes; it is still script, not template"');
    expect((await editor.put(`${path}/t`, { type: "SCRIPT", spec })).headers["warning"]).toBeUndefined();
  });

  test("two concurrent writes create a version each", async () => {
    const { path, editor } = await teamWithEditor();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => editor.put(`${path}/race`, { spec: { script: String(index) } })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(answers.map(({ body }) => body.version).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test("with replace the version keeps its number, and workflows use the new content", async () => {
    const { team, path, editor } = await teamWithEditor();
    await editor.put(`${path}/t`, { spec });
    const second = await editor.put(`${path}/t`, { spec: { script: "two" } });
    const used = await workflowUsing(team.id, "t");
    const replaced = await editor.put(`${path}/t?replace=true`, { spec: { script: "three" } });
    expect(replaced.body).toMatchObject({ version: 2, spec: { script: "three" }, creationDate: second.body.creationDate });
    expect(replaced.headers["etag"]).not.toBe(second.headers["etag"]);
    expect((await used())!["spec"].script).toBe("three");
    expect((await editor.get(`${path}/t/changelog`)).body).toHaveLength(2);
    expect((await editor.put(`${path}/t?replace=true`, { spec })).body.version).toBe(2);
    expect((await editor.put(`${path}/new?replace=TRUE`, { spec })).body.version).toBe(1);
  });

  test("a replaced global task reaches the workflows of all teams", async () => {
    const [mine, other] = [await app.make.team(), await app.make.team()];
    await app.as().put("/api/v2/task/shared", { spec });
    const used = [await workflowUsing(mine.id, "shared"), await workflowUsing(other.id, "shared")];
    await app.as().put("/api/v2/task/shared?replace=true", { spec: { script: "new" } });
    for (const read of used) expect((await read())!["spec"].script).toBe("new");
    await app.as().put("/api/v2/task/shared", { spec: { script: "newer" } });
    for (const read of used) expect((await read())!["version"]).toBe(1);
  });

  test("an inactive task is changed only by a write that makes it active", async () => {
    const { path, editor } = await teamWithEditor();
    await editor.put(`${path}/t`, { spec });
    expect((await editor.put(`${path}/t?replace=true`, { status: "Inactive", spec })).body).toMatchObject({
      status: "inactive",
      version: 1,
    });
    expect(await editor.put(`${path}/t`, { status: "inactive", spec })).toMatchObject({
      status: 409,
      body: { code: 1404, reason: "TASK_INACTIVE_STATUS" },
    });
    expect((await editor.get(`${path}/t`)).body).toMatchObject({ status: "inactive", version: 1 });
    const exported = (await editor.get(`${path}/t`, { accept: "application/x-yaml" })).text;
    expect(exported).toContain("millrace.dev/status: inactive");
    expect((await editor.put(`${path}/t`, exported, yaml)).status).toBe(409);
    expect((await editor.put(`${path}/t`, { spec })).body).toMatchObject({ status: "active", version: 2 });
  });

  test("If-Match: the slower write is refused with the reason, and nothing is written", async () => {
    const { path, editor } = await teamWithEditor();
    const { headers } = await editor.put(`${path}/t`, { spec });
    const tag = String(headers["etag"]);
    expect((await editor.get(`${path}/t`)).headers["etag"]).toBe(tag);
    expect((await editor.get(`${path}/t`, { "if-none-match": tag })).status).toBe(304);
    const faster = await editor.put(`${path}/t`, { spec: { script: "faster" } }, { "if-match": tag });
    expect(faster.status).toBe(200);
    expect(await editor.put(`${path}/t`, { spec }, { "if-match": tag })).toMatchObject({
      status: 412,
      body: { reason: "PRECONDITION_FAILED" },
    });
    expect(await editor.put(`${path}/nothing`, { spec }, { "if-match": "*" })).toMatchObject({ status: 412 });
    expect(await app.as().delete(`${path}/t`, undefined, { "if-match": tag })).toMatchObject({ status: 412 });
    expect((await editor.put(`${path}/t`, { spec }, { "if-match": `"x", ${faster.headers["etag"]}` })).body.version).toBe(3);
  });

  test("a global task stays verified, whatever the body says, and a team's never is", async () => {
    await app.as().put("/api/v2/task/shipped", { spec });
    await app.sql`update task set verified = true where name = 'shipped'`;
    expect((await app.as().put("/api/v2/task/shipped", { verified: false, spec })).body.verified).toBe(true);
    const { path, editor } = await teamWithEditor();
    expect((await editor.put(`${path}/t`, { verified: true, spec })).body.verified).toBe(false);
  });

  test("is refused for readers, other teams, and team members for global tasks", async () => {
    const { path, editor, reader } = await teamWithEditor();
    const outsider = (await teamWithEditor()).editor;
    await editor.put(`${path}/t`, { spec });
    expect((await reader.put(`${path}/t`, { spec })).status).toBe(403);
    expect((await outsider.put(`${path}/t`, { spec })).status).toBe(404);
    expect((await editor.put("/api/v2/task/t", { spec })).status).toBe(403);
    expect((await editor.get(`${path}/t`)).body.version).toBe(1);
  });
});

test("the reason of a change is in the query, since a document has no place for it", async () => {
  const { path, editor } = await teamWithEditor();
  const document = "apiVersion: tekton.dev/v1\nkind: Task\nmetadata: {name: why}\nspec: {steps: [{script: echo}]}\n";
  await editor.put(`${path}/why?reason=Because%20of%20it`, document, yaml);
  expect((await editor.get(`${path}/why/changelog`)).body).toMatchObject([{ version: 1, reason: "Because of it" }]);
});
