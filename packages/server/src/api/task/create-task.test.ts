import { describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { randomName } from "../../../test/kit/factories.ts";
import { taskParametersPlace } from "../../core/secret/sealed-places.ts";

const app = await testApp();
const yaml = { "content-type": "application/x-yaml" };
const spec = { script: "#!/bin/sh\necho hello" };

async function teamWithEditor() {
  const team = await app.make.team();
  const editor = await app.make.member(team.id, "editor");
  return {
    team,
    path: `/api/v2/team/${team.name}/task`,
    editor: app.as(editor.token),
    reader: app.as((await app.make.member(team.id, "reader")).token),
  };
}

describe("a task of a team", () => {
  test("is created as the resource and read back with what the service adds", async () => {
    const { path, editor } = await teamWithEditor();
    const name = randomName("Task");
    const answer = await editor.post(path, {
      name,
      displayName: "Say hello",
      type: "script",
      description: "Greets",
      category: "Tests",
      icon: "Wave",
      labels: { stage: "test" },
      annotations: { "example.org/x": { nested: [1, "1.0"] } },
      verified: true,
      version: 77,
      changelog: { reason: "because", author: "nobody" },
      spec: {
        ...spec,
        params: [{ name: "who", type: "text", required: true }],
        results: [{ name: "greeting", description: "what was said" }],
        unknownMember: { kept: true },
      },
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name,
      displayName: "Say hello",
      type: "script",
      version: 1,
      status: "active",
      creationDate: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      verified: false,
      description: "Greets",
      category: "Tests",
      icon: "Wave",
      labels: { stage: "test" },
      annotations: { "example.org/x": { nested: [1, "1.0"] } },
      changelog: { reason: "because", date: expect.any(String) },
      spec: {
        ...spec,
        envs: [],
        params: [{ name: "who", label: "who", type: "text", required: true, readOnly: false }],
        results: [{ name: "greeting", description: "what was said" }],
        unknownMember: { kept: true },
      },
    });
    expect(answer.body.changelog.author).not.toBe("nobody");
    expect((await editor.get(`${path}/${name}`)).body).toEqual(answer.body);
    expect((await editor.get(`${path}/${answer.body.id}`)).body).toEqual(answer.body);
    expect(answer.headers["etag"]).toMatch(/^".+"$/);
  });

  test("is created as a document, and needs no more than name and steps", async () => {
    const { path, editor } = await teamWithEditor();
    const document =
      "apiVersion: tekton.dev/v1beta1\nkind: Task\nmetadata:\n  name: from-yaml\nspec:\n  steps:\n    - name: one\n      script: echo 1.0\n";
    for (const [name, type] of [
      ["a", "application/x-yaml"],
      ["b", "application/yaml; charset=utf-8"],
      ["c", "text/yaml"],
      ["d", "text/x-yaml"],
    ] as const) {
      const answer = await editor.post(path, document.replace("from-yaml", name), { "content-type": type });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ name, displayName: name, type: "template", spec: { script: "echo 1.0", stepName: "one" } });
    }
    const asYaml = await editor.post(path, document, { ...yaml, accept: "application/x-yaml" });
    expect(asYaml.headers["content-type"]).toBe("application/x-yaml; charset=utf-8");
    expect(asYaml.text).toContain("apiVersion: tekton.dev/v1\nkind: Task\nmetadata:\n  name: from-yaml\n");
  });

  test("may have the name of a global task and of another team's, but not of one of its own", async () => {
    const [mine, other] = [await teamWithEditor(), await teamWithEditor()];
    const name = randomName("task");
    const body = { name, type: "template", spec };
    expect((await app.as().post("/api/v2/task", body)).status).toBe(200);
    expect((await mine.editor.post(mine.path, body)).status).toBe(200);
    expect((await other.editor.post(other.path, body)).status).toBe(200);
    const again = await mine.editor.post(mine.path, body);
    expect(again).toMatchObject({
      status: 422,
      body: { code: 1402, reason: "TASK_ALREADY_EXISTS", message: `Name ${name} is taken` },
    });
    expect((await app.as().post("/api/v2/task", body)).status).toBe(422);
    expect((await mine.editor.post(mine.path, { ...body, name: name.toUpperCase() })).body.name).toBe(name.toUpperCase());
  });

  test("of two concurrent creations one succeeds", async () => {
    const { path, editor } = await teamWithEditor();
    const answers = await Promise.all(Array.from({ length: 5 }, () => editor.post(path, { name: "race", spec })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422]);
  });

  test("a secret parameter is sealed, read empty, and never in a document", async () => {
    const { team, path, editor } = await teamWithEditor();
    const form = "    millrace.dev/params: [{name: token, type: password}]\n";
    const document = `apiVersion: tekton.dev/v1\nkind: Task\nmetadata:\n  name: secretive\n  annotations:\n${form}spec:\n  params: [{name: token, default: hunter22}]\n  steps: [{script: x}]\n`;
    const answer = await editor.post(path, document, yaml);
    expect(answer.body.spec.params).toEqual([
      { name: "token", label: "token", type: "password", readOnly: false, default: "", value: "", hiddenValue: true },
    ]);
    const read = await editor.get(`${path}/secretive`, { accept: "application/x-yaml" });
    expect(read.text).toContain('default: ""');
    const rows = await app.sql`select v.* from task_version v join task on task.id = v.task_id where task.name = 'secretive'`;
    const audits = await app.sql`select * from audit where object_name = 'secretive'`;
    expect(JSON.stringify([read.text, answer.text, rows, audits])).not.toContain("hunter22");
    expect(app.keyring.openText(rows[0]!["spec"].params[0].default, taskParametersPlace(team.id))).toBe("hunter22");
    const kept = await editor.put(`${path}/secretive`, (await editor.get(`${path}/secretive`)).body);
    expect(kept.status).toBe(200);
    const [latest] =
      await app.sql`select v.spec from task_version v join task on task.id = v.task_id where task.name = 'secretive' and v.version = 2`;
    expect(app.keyring.openText(latest!["spec"].params[0].default, taskParametersPlace(team.id))).toBe("hunter22");
  });

  test("what looks like a mistake is reported in a header", async () => {
    const { path, editor } = await teamWithEditor();
    const answer = await editor.post(path, { name: "careless", spec: { script: 'echo "$(params.who)" $(params.ünï)' } });
    expect(answer.status).toBe(200);
    expect(answer.headers["warning"]).toBe(
      '299 - "step careless refers to the parameter who, which the task does not declare", ' +
        '299 - "step careless refers to the parameter ?n?, which the task does not declare"',
    );
  });

  test("leaves an audit record without its content", async () => {
    const { team, path, editor } = await teamWithEditor();
    await editor.post(path, { name: "audited", spec });
    const [record] = await app.sql`select * from audit where object_name = 'audited'`;
    expect(record).toMatchObject({
      team_id: team.id,
      object_kind: "task",
      action: "task/write",
      before: null,
      after: { name: "audited", version: 1 },
    });
    expect(record!["after"]).not.toHaveProperty("spec");
  });
});

describe("what is refused", () => {
  test.each<[unknown, number, string, string]>([
    [{ spec }, 400, "TASK_INVALID_NAME", 'Name "" is invalid'],
    [{ name: "a b", spec }, 400, "TASK_INVALID_NAME", 'Name "a b" is invalid'],
    [{ name: "under_score", spec }, 400, "TASK_INVALID_NAME", "only letters, digits and hyphen"],
    [{ name: "x".repeat(129), spec }, 400, "TASK_INVALID_NAME", "is invalid"],
    [{ name: "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e", spec }, 400, "TASK_INVALID_NAME", "is invalid"],
    [{ name: "query", spec }, 422, "TASK_ALREADY_EXISTS", "Name query is reserved"],
    [{ name: "Validate", spec }, 422, "TASK_ALREADY_EXISTS", "reserved"],
    [{ name: "a", type: "start", spec }, 400, "TASKRUN_INVALID_TYPE", "Task type start is unknown; known: template"],
    [{ name: "a", type: "bash", spec }, 400, "TASKRUN_INVALID_TYPE", "bash"],
    [{ name: "a", status: "archived", spec }, 400, "VALIDATION_FAILED", 'is "archived"; it must be one of active, inactive'],
    [{ name: "a" }, 400, "TASK_INVALID_DEFINITION", "body /spec/steps are missing; a task of type template needs at least one step"],
    [
      { name: "a", spec: { params: [{ name: "p" }, { name: "p" }], ...spec } },
      400,
      "TASK_INVALID_DEFINITION",
      "body /spec/params/1/name is p, but another of",
    ],
    [
      { name: "a", spec: { params: [{ name: "p", type: "password", value: "ab" }], ...spec } },
      400,
      "VALIDATION_FAILED",
      "at least 4 characters",
    ],
    [{ name: "a", spec: { script: 5 } }, 400, "VALIDATION_FAILED", "/spec/script"],
    [{ name: "a", spec: { ...spec, steps: [spec] } }, 400, "TASK_INVALID_DEFINITION", "spec has steps and also script"],
    [{ name: "a", labels: { a: 1 }, spec }, 400, "VALIDATION_FAILED", "/labels/a"],
    ['{"name": "a", "spec": {"script": "x", "n": 12345678901234567890}}', 400, "BAD_REQUEST", "12345678901234567890"],
    ["{", 400, "BAD_REQUEST", "not valid JSON"],
    [[], 400, "VALIDATION_FAILED", ""],
  ])("%j", async (body, status, reason, message) => {
    const { path, editor } = await teamWithEditor();
    const answer = await editor.post(path, body);
    expect(answer).toMatchObject({ status, body: { reason } });
    expect(answer.body.message + JSON.stringify(answer.body.errors)).toContain(message);
  });

  test("a document, with line and column of each fault", async () => {
    const { path, editor } = await teamWithEditor();
    const head = "apiVersion: tekton.dev/v1\nkind: Task\nmetadata:\n  name: t\n";
    const refused = async (text: string) => {
      const answer = await editor.post(path, text, yaml);
      expect(answer).toMatchObject({ status: 400, body: { code: 1406, reason: "TASK_INVALID_DEFINITION" } });
      return answer.body.errors;
    };
    expect(await refused(`${head}spec:\n  steps:\n    - name: a\n      script: x\n    - name: a\n      timeout: soon\n`)).toEqual([
      {
        path: "/spec/steps/1/name",
        message: "line 9, column 13: spec.steps.1.name is a, but another of the steps has that name; names must differ",
      },
      { path: "/spec/steps/1", message: "line 9, column 7: spec.steps.1 has no script, no command and no image; there is nothing to run" },
      {
        path: "/spec/steps/1/timeout",
        message: "line 10, column 16: spec.steps.1.timeout is soon; it must be a duration such as 1h30m or 45s",
      },
    ]);
    expect(await refused(`${head}spec: [`)).toMatchObject([{ message: expect.stringMatching(/^line \d+, column \d+: /) }]);
    expect(await refused(`${head}spec:\n  steps:\n    - ref: {name: git-clone}\n`)).toMatchObject([
      { path: "/spec/steps/0/ref/name", message: expect.stringMatching(/^line 7, column .* has an active StepAction of that name/) },
    ]);
    expect((await refused("x".repeat(1_000_001)))[0].message).toContain("line 1, column 1");
    expect(
      (
        await refused(
          "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d,*d]",
        )
      ).length,
    ).toBeGreaterThan(0);
  });

  test("other media types in and out", async () => {
    const { path, editor } = await teamWithEditor();
    expect(await editor.post(path, "a=b", { "content-type": "application/x-www-form-urlencoded" })).toMatchObject({ status: 415 });
    const unacceptable = await editor.post(path, { name: "a", spec }, { accept: "text/html" });
    expect(unacceptable).toMatchObject({ status: 406, body: { reason: "NOT_ACCEPTABLE" } });
    expect((await editor.get(`${path}/a`)).status).toBe(404);
    expect((await editor.post(path, undefined)).status).toBe(400);
  });

  test("for readers, other teams, anonymous callers, and team members for global tasks", async () => {
    const { path, reader, editor } = await teamWithEditor();
    const outsider = (await teamWithEditor()).editor;
    const body = { name: "forbidden", spec };
    expect(await reader.post(path, body)).toMatchObject({ status: 403, body: { reason: "PERMISSION_DENIED" } });
    expect(await outsider.post(path, body)).toMatchObject({ status: 404, body: { reason: "TEAM_INVALID_REF" } });
    expect(await app.as(null).post(path, body)).toMatchObject({ status: 401 });
    expect(await editor.post("/api/v2/task", body)).toMatchObject({ status: 403 });
    const [row] = await app.sql`select count(*)::int as count from task where name = 'forbidden'`;
    expect(row!["count"]).toBe(0);
  });
});
