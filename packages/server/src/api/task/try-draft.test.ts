import { expect, test } from "vitest";
import { adminToken, testApp } from "../../../test/kit/app.ts";
import { moveTime } from "../../../test/kit/database.ts";
import { purgeDeletedWorkflows } from "../../domain/workflow/delete-workflow.ts";
import { hideOldTries } from "../../store/workflow/hidden-workflows.ts";

const app = await testApp();
const team = await app.make.team();
const path = `/api/v2/team/${team.name}`;
const owner = app.as((await app.make.member(team.id, "owner")).token);
const editor = app.as((await app.make.member(team.id, "editor")).token);
const admin = app.as(adminToken);
const params = [
  { name: "who", type: "text", default: "nobody" },
  { name: "key", type: "password", default: "s3cret-of-the-task" },
];
await owner.put(`${path}/task/greet`, { spec: { script: "echo saved", params } });

const yaml = (name: string, script: string) => `# a comment
apiVersion: tekton.dev/v1
kind: Task
metadata:
  name: ${name}
spec:
  steps:
    - name: ${name}
      image: alpine:3.20
      script: ${script}
`;

/** What the drafts of that name would run. */
const drafts = (name: string) => app.sql<{ spec: { script: string; params: { name: string; default?: string }[] }; team: string | null }[]>`
  select v.spec, t.team_id as team from task t join task_version v on v.task_id = t.id
  where t.name = ${name} and t.deleted_at = t.created_at order by t.id`;
const countDrafts = async () => (await app.sql`select from task where deleted_at = created_at`).length;

test("a draft is run instead of what is saved, without becoming a version of it", async () => {
  const draft = { spec: { script: "echo draft", params } };
  const tried = await owner.post(`${path}/task/greet/try`, { draft, params: [{ name: "who", value: "Ada" }] });
  expect(tried).toMatchObject({ status: 200, body: { workflowDisplayName: "Try of the draft of greet" } });
  expect((await drafts("greet")).map(({ spec }) => spec.script)).toEqual(["echo draft"]);
  await owner.put(`${path}/workflowrun/${tried.body.id}/start`);
  const { body } = await owner.get(`${path}/workflowrun/${tried.body.id}`);
  const task = body.tasks.find(({ name }: { name: string }) => name === "task");
  expect(task.params).toContainEqual(expect.objectContaining({ name: "who", value: "Ada" }));
  expect((await owner.get(`${path}/task/greet`)).body).toMatchObject({ version: 1, spec: { script: "echo saved" } });
  expect((await owner.get(`${path}/task/greet/changelog`)).body).toHaveLength(1);
});

test("as a definition document, too, whose faults are reported with their lines", async () => {
  expect((await owner.post(`${path}/task/greet/try`, { draftDocument: yaml("greet", "echo from yaml") })).status).toBe(200);
  const broken = await owner.post(`${path}/task/greet/try`, { draftDocument: yaml("greet", "echo").replace("spec:", "spec: 1\nx:") });
  expect(broken).toMatchObject({ status: 400, body: { reason: "TASK_INVALID_DEFINITION" } });
  expect(broken.body.message).toMatch(/line \d+, column \d+/);
});

test("of a task that does not exist, and is not created by it", async () => {
  const before = (await owner.get(`${path}/task/query`)).body.totalElements;
  expect((await owner.post(`${path}/task/unborn/try`, { draftDocument: yaml("unborn", "echo") })).status).toBe(200);
  expect((await owner.get(`${path}/task/unborn`)).status).toBe(404);
  expect((await owner.get(`${path}/task/query`)).body.totalElements).toBe(before);
  expect((await owner.post(`${path}/task`, { name: "unborn", spec: { script: "echo" } })).status).toBe(200);
});

test.each([
  ["a name that no task may have", "no%20name", { draft: { spec: { script: "echo" } } }, "TASK_INVALID_NAME"],
  ["nothing to run", "greet", { draft: { spec: {} } }, "TASK_INVALID_DEFINITION"],
  ["an archived one", "greet", { draft: { status: "inactive", spec: { script: "echo" } } }, "TASK_INACTIVE_STATUS"],
  [
    "a parameter that it does not have, twice",
    "greet",
    { draft: { spec: { script: "x", params: [params[0], params[0]] } } },
    "TASK_INVALID_DEFINITION",
  ],
  ["two drafts", "greet", { draft: {}, draftDocument: yaml("greet", "echo") }, "VALIDATION_FAILED"],
  ["a version of a draft", "greet", { draft: { spec: { script: "echo" } }, version: 1 }, "VALIDATION_FAILED"],
  ["an owner of no draft", "greet", { draftOf: "global" }, "VALIDATION_FAILED"],
])("%s is refused, and leaves nothing", async (_, name, body, reason) => {
  const before = await countDrafts();
  expect(await admin.post(`${path}/task/${name}/try`, body)).toMatchObject({ status: expect.any(Number), body: { reason } });
  expect(await countDrafts()).toBe(before);
});

test("secrets that it leaves out are those that are stored, and no answer shows one", async () => {
  const [stored] = await app.sql<{ spec: { params: { default: string }[] } }[]>`
    select v.spec from task_version v join task t on t.id = v.task_id where t.name = 'greet' and t.deleted_at is null`;
  const draft = { spec: { script: "echo kept", params: [{ name: "key", type: "password", default: "" }] } };
  const tried = await owner.post(`${path}/task/greet/try`, { draft, params: [{ name: "key", value: "s3cret-of-the-try" }] });
  const kept = (await drafts("greet")).find(({ spec }) => spec.script === "echo kept");
  expect(kept?.spec.params[0]?.default).toBe(stored?.spec.params[1]?.default);
  const fresh = await owner.post(`${path}/task/greet/try`, {
    draft: { spec: { script: "echo new", params: [{ ...params[1], default: "s3cret-of-the-draft" }] } },
  });
  const texts = [
    tried.text,
    fresh.text,
    (await owner.get(`${path}/workflowrun/${tried.body.id}`)).text,
    JSON.stringify(await drafts("greet")),
  ];
  expect(texts.join()).not.toContain("s3cret-of-the");
});

test("it needs the permission to save the task, or global tasks for a global one", async () => {
  const body = { draft: { spec: { script: "echo mine" } } };
  const acts = app.as(await app.make.teamToken(team.id, ["task/action", "task/read"]));
  expect(await acts.post(`${path}/task/greet/try`, {})).toMatchObject({ status: 200 });
  expect(await acts.post(`${path}/task/greet/try`, body)).toMatchObject({ status: 403, body: { reason: "PERMISSION_DENIED" } });
  expect((await editor.post(`${path}/task/greet/try`, body)).status).toBe(200);
  await admin.put("/api/v2/task/everywhere", { spec: { script: "echo", params } });
  expect((await editor.post(`${path}/task/everywhere/try`, { ...body, draftOf: "global" })).status).toBe(403);
  expect((await admin.post(`${path}/task/everywhere/try`, { ...body, draftOf: "global" })).status).toBe(200);
  expect(await drafts("everywhere")).toMatchObject([{ team: null, spec: { script: "echo mine" } }]);
});

test("a draft of a team has none of the secrets of the global task of its name", async () => {
  await admin.put("/api/v2/task/shadowed", { spec: { script: "echo", params } });
  const draft = { spec: { script: "echo", params: [{ name: "key", type: "password", default: "" }] } };
  expect((await editor.post(`${path}/task/shadowed/try`, { draft })).status).toBe(200);
  expect((await drafts("shadowed"))[0]).toMatchObject({ team: team.id, spec: { params: [{ name: "key" }] } });
  expect((await drafts("shadowed"))[0]?.spec.params[0]).not.toHaveProperty("default", expect.stringMatching(/./));
});

test("likely mistakes in it are reported as by a save", async () => {
  const draft = { spec: { script: "echo $(params.nobody)" } };
  const saved = await owner.put(`${path}/task/warned`, draft);
  const tried = await owner.post(`${path}/task/warned/try`, { draft, params: [{ name: "nobody", value: "x" }] });
  expect(saved.headers["warning"]).toBeDefined();
  expect(tried.headers["warning"]).toBe(saved.headers["warning"]);
});

test("it is removed with everything created for it, and saved tasks stay", async () => {
  const saved = async () => (await app.sql`select from task where deleted_at is null`).length;
  const before = await saved();
  expect(await countDrafts()).toBeGreaterThan(0);
  await app.sql`update run set phase = 'completed', status = 'succeeded', ended_at = db_now(), activity = 'none', active_since = null`;
  await moveTime(app.sql, 62 * 24 * 3600_000);
  await hideOldTries(app.sql);
  await app.sql`update workflow set deleted_at = deleted_at - interval '2 hours' where deleted_at is not null`;
  await purgeDeletedWorkflows(app.sql, 100);
  expect(await countDrafts()).toBe(0);
  expect(await saved()).toBe(before);
  await moveTime(app.sql, -62 * 24 * 3600_000);
});
