import type { AppliedDocument, ApplyProblem } from "@millrace/contract/apply.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { type TestApp, testApp } from "../../../test/kit/app.ts";
import { makeTask } from "../../../test/kit/workflow-factories.ts";

/** A set of documents is saved as if each were saved alone, in one transaction, and unchanged documents are not written. */
const app: TestApp = await testApp();
const yaml = { "content-type": "application/yaml" };
await makeTask(app.sql, { name: "run-workflow", type: "runworkflow" });
let team: { id: string; name: string };
let path: string;

beforeEach(async () => {
  team = await app.make.team();
  path = `/api/v2/team/${team.name}/apply`;
});

/** One of each kind that a team can have, in an order in which each refers only to later ones. */
const everyKind = `apiVersion: millrace.dev/v1
kind: Schedule
workflowRef: nightly
name: at three
cronSchedule: 0 3 * * *
timezone: Europe/Oslo
labels: {by: set}
params: [{name: day, value: Monday}]
---
apiVersion: millrace.dev/v1
kind: Workflow
name: nightly
description: Copies everything
labels: {by: set}
triggers: {schedule: {enabled: true}}
params:
  - {name: day, type: text, default: 2024-01-01}
  - {name: password, type: password, default: a long secret}
tasks:
  - name: copy
    taskRef: copy
    params: [{name: what, value: $(params.day)}, {name: token, value: another secret}]
  - name: more
    taskRef: run-workflow
    type: runworkflow
    params: [{name: workflowRef, value: zeta}]
    dependencies: [{taskRef: copy}]
---
# Without a kind it is a workflow.
name: zeta
labels: {by: set}
tasks:
  - {name: copy, taskRef: flat}
---
apiVersion: tekton.dev/v1
kind: Task
metadata: {name: copy, labels: {by: set}}
spec:
  params:
    - {name: what, type: string}
    - {name: token, type: string, default: ""}
  steps:
    - name: copy # a comment
      ref: {name: print}
---
apiVersion: tekton.dev/v1
kind: StepAction
metadata: {name: print, labels: {by: set}}
spec:
  image: alpine
  script: echo
---
apiVersion: millrace.dev/v1
kind: Task
name: flat
type: script
spec: {script: echo flat}
---
apiVersion: tekton.dev/v1
kind: Pipeline
metadata: {name: from-tekton}
spec:
  tasks:
    - name: first
      taskRef: {name: copy}
      params: [{name: what, value: x}]
    - name: inside
      taskSpec:
        steps: [{name: s, image: alpine, script: echo inside}]
---
apiVersion: millrace.dev/v1
kind: Parameter
name: region
value: eu
---
apiVersion: millrace.dev/v1
kind: Parameter
name: key
type: password
value: the secret of the team
---
apiVersion: millrace.dev/v1
kind: Subscription
name: failed runs
target: {url: "https://example.com/hooks/a?token=hidden-token"}
secret: whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
notify: [run-failed]
`;

const actionsOf = (documents: readonly AppliedDocument[]) => documents.map(({ kind, name, action }) => `${kind} ${name} ${action}`);
const problemsIn = (problems: readonly ApplyProblem[]) => problems.map(({ index, path, line, message }) => [index, path, line, message]);

/** Everything that an apply can write, with what distinguishes two states. */
async function everything() {
  const tables = ["workflow", "workflow_version", "workflow_template", "workflow_template_version", "task", "task_version", "schedule"];
  const others = ["subscription", "global_parameter", "team", "app_user", "audit", "change_event"];
  const dump: Record<string, unknown> = {};
  for (const table of [...tables, ...others]) {
    const [found] = await app.sql`select to_regclass(${table}) is not null as "isThere"`;
    if (found?.["isThere"]) dump[table] = await app.sql.unsafe(`select t::text from ${table} t order by 1`);
  }
  expect(Object.keys(dump).length).toBeGreaterThan(9);
  return dump;
}

async function apply(text: string, query = "", client = app.as()) {
  const answer = await client.post(`${path}${query}`, text, yaml);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

describe("a set", () => {
  test("is applied in any order, and a second time changes nothing", async () => {
    const { documents, problems, dryRun } = await apply(everyKind);
    expect([problems, dryRun]).toEqual([[], false]);
    expect(actionsOf(documents)).toEqual([
      "Schedule at three created",
      "Workflow nightly created",
      "Workflow zeta created",
      "Task copy created",
      "StepAction print created",
      "Task flat created",
      "Pipeline from-tekton created",
      "Parameter region created",
      "Parameter key created",
      "Subscription failed runs created",
    ]);
    const before = await everything();
    const again = await apply(everyKind);
    expect(actionsOf(again.documents).filter((line) => !line.endsWith(" unchanged"))).toEqual([]);
    expect(again.documents.filter((document: AppliedDocument) => document.diff !== undefined)).toEqual([]);
    expect(await everything()).toEqual(before);
  });

  test("is the same as JSON", async () => {
    await apply(everyKind);
    const documents = parseAllDocuments(everyKind).map((document) => document.toJS());
    const { status, body } = await app.as().post(path, documents.reverse());
    expect([status, actionsOf(body.documents).filter((line) => !line.endsWith(" unchanged"))]).toEqual([200, []]);
    const one = await app.as().post(`${path}?dryRun=true`, { kind: "Parameter", name: "region", value: "us" });
    expect(one.body.documents).toMatchObject([{ index: 0, kind: "Parameter", action: "updated" }]);
  });

  test("changes only what differs, says how, and never shows a secret", async () => {
    await apply(everyKind);
    const text = everyKind
      .replace("Copies everything", "Copies all")
      .replace("a long secret", "a new secret")
      .replace("value: eu", "value: us")
      .replace("the secret of the team", "a new secret of the team")
      .replace("hidden-token", "other-token");
    const { documents } = await apply(text);
    const changed = documents.filter(({ action }: AppliedDocument) => action !== "unchanged");
    expect(changed).toMatchObject([
      {
        name: "nightly",
        action: "updated",
        version: 2,
        changesSecrets: true,
        diff: expect.stringMatching(/^-description: Copies everything\n\+description: Copies all$/m),
      },
      { name: "region", action: "updated", diff: expect.stringMatching(/^-value: eu\n\+value: us$/m) },
      { name: "key", action: "updated", changesSecrets: true },
      { name: "failed runs", action: "updated", changesSecrets: true },
    ]);
    expect(JSON.stringify(documents)).not.toMatch(/secret of the team|(?:new|long|another) secret|hidden-token|other-token|whsec|mrsealed/);
    expect(changed[2].diff).toBeUndefined();
    expect((await apply(text)).documents.every(({ action }: AppliedDocument) => action === "unchanged")).toBe(true);
  });

  test("keeps a secret that is left out, as after an export", async () => {
    await apply(everyKind);
    const exported = await app.as().get(`/api/v2/team/${team.name}/workflow/nightly/export`, { accept: "application/yaml" });
    expect(actionsOf((await apply(exported.text)).documents)).toEqual(["Workflow nightly unchanged"]);
  });

  test("writes audit records as if each document was saved alone, and none for unchanged ones", async () => {
    await apply(everyKind);
    const records = () =>
      app.sql`select action, object_kind, object_name from audit where team_id = ${team.id} order by object_kind, object_name`;
    expect((await records()).map(({ action, object_kind, object_name }) => `${action} ${object_kind} ${object_name}`)).toEqual([
      "team/write parameter key",
      "team/write parameter region",
      "schedule/write schedule at three",
      "integration/write subscription failed runs",
      "task/write task copy",
      "task/write task flat",
      "task/write task from-tekton-inside",
      "task/write task print",
      "workflow/write workflow from-tekton",
      "workflow/write workflow nightly",
      "workflow/write workflow zeta",
    ]);
    const { length } = await records();
    await apply(everyKind);
    expect((await records()).length).toBe(length);
  });

  test("of the instance has teams, templates, global tasks and parameters", async () => {
    const name = `set-${team.name}`;
    const text = `kind: Team
name: ${name}
displayName: The team
status: inactive
labels: {a: b}
parameters: [{name: p, type: password, value: long enough secret}]
members: [{email: "someone@example.com", role: owner}]
---
kind: WorkflowTemplate
name: ${name}
tasks: [{name: t, taskRef: ${name}}]
---
kind: Task
name: ${name}
type: script
spec: {script: echo}
---
kind: Parameter
name: ${name}
value: [1, 2]
teams: [${team.name}]
---
kind: Subscription
name: ${name}
target: {url: https://example.com/}
`;
    const first = await app.as().post("/api/v2/apply", text, yaml);
    expect([first.status, actionsOf(first.body.documents ?? [])], first.text).toEqual([
      200,
      ["Team", "WorkflowTemplate", "Task", "Parameter", "Subscription"].map((kind) => `${kind} ${name} created`),
    ]);
    expect(first.body.documents[4].secret).toMatch(/^whsec_/);
    const before = await everything();
    const second = await app.as().post("/api/v2/apply", text, yaml);
    expect(actionsOf(second.body.documents)).toEqual(
      ["Team", "WorkflowTemplate", "Task", "Parameter", "Subscription"].map((kind) => `${kind} ${name} unchanged`),
    );
    expect(await everything()).toEqual(before);
  });
});

/** Ways in which stored content differs from what was sent. */
const storedOtherwise: Record<string, string> = {
  "a workflow of few words": "kind: Workflow\nname: Few Words\n",
  "a workflow with all that has defaults": `kind: Workflow
name: defaults
displayName: " "
status: Inactive
icon: ""
description: ""
labels: {a: "1", b: null}
annotations: {x: {y: [1, 2.5]}, z: null}
timeout: 0
retries: null
unknownMember: {kept: true}
triggers: {manual: null, schedule: {enabled: true}, webhook: {enabled: true, token: null}}
params: [{key: p, defaultValue: 1, type: number}, {name: s, type: password, default: abc}]
workspaces: [{name: files, type: WorkflowRun, spec: {size: 1, accessMode: null}}]
tasks:
  - {name: end, type: end, dependencies: [{taskRef: a, executionCondition: Success}]}
  - {name: a, taskRef: flat, taskVersion: null, retry: {count: 2}, position: {x: 1.5, y: 2}}
`,
  "a task of Tekton":
    "apiVersion: tekton.dev/v1beta1\nkind: Task\nmetadata: {name: beta, namespace: ns, annotations: {millrace.dev/category: c}}\nspec: {steps: [{image: a, resources: {}, script: echo}], unknown: 1}\n",
  "a task with a secret":
    "kind: Task\nname: sec\ntype: template\nlabels: {a: b}\nspec: {image: a, script: echo, params: [{name: p, type: password, default: long secret}]}\n",
  "an inactive task": "kind: Task\nname: off\ntype: script\nstatus: inactive\nspec: {script: echo}\n",
  "a StepAction in our form": "kind: StepAction\nname: act\nspec: {image: a, script: echo, params: [{name: p, type: string}]}\n",
  "a parameter with keys": "kind: Parameter\nname: keys\ntype: secret\nvalue: {one: long enough, two: also long}\n",
  "a parameter in older words": "kind: Parameter\nkey: older\ndefaultValue: x\nhelperText: h\nlabel: L\nreadOnly: null\n",
  "a list": "kind: Parameter\nname: list\ntype: multiselect\nvalue: [a, b]\noptions: [{key: a, value: A}, {key: b, value: B}]\n",
  "a subscription to emails":
    "kind: Subscription\nname: mails\nchannel: email\nisActive: null\ntarget: {to: [a@example.com], people: [owners]}\nnotify: [run-failed, run-cancelled]\n",
  "a webhook without a secret": "kind: Subscription\nname: hooks\ntarget: {url: https://example.com/services/T000/B000/XXXX}\n",
  "a schedule without a name":
    "kind: Schedule\nworkflowRef: For-Schedules\ncronSchedule: ' 0 3 * * * '\ntimezone: UTC\nlabels: null\nparams: [{name: s, value: long secret}]\n",
  "a schedule that waits for its trigger":
    "kind: Schedule\nworkflowRef: no-trigger\nname: waits\nstatus: Active\ncronSchedule: 0 3 * * *\ntimezone: UTC\n",
  "a schedule of one time":
    "kind: Schedule\nworkflowRef: for-schedules\nname: once\ntype: RunOnce\ndateSchedule: 2099-01-31T08:00:00\ntimezone: Europe/Oslo\njitter: 5\n",
  "a pipeline":
    "apiVersion: tekton.dev/v1\nkind: PipelineRun\nmetadata: {name: run}\nspec: {pipelineSpec: {params: [{name: p, default: x}], tasks: [{name: t, taskSpec: {steps: [{image: a, script: 'echo $(params.p)'}]}}]}}\n",
};

describe("applied twice, nothing changes the second time:", () => {
  const others = `kind: Task
name: flat
type: script
spec: {script: echo flat}
---
kind: Workflow
name: for-schedules
params: [{name: s, type: password}]
triggers: {schedule: {enabled: true}}
tasks: [{name: a, taskRef: flat}]
---
kind: Workflow
name: no-trigger
tasks: [{name: a, taskRef: flat}]
`;

  test.each(Object.entries(storedOtherwise))("%s", async (_what, text) => {
    await apply(others);
    expect((await apply(text)).documents).toMatchObject([{ action: "created" }]);
    const before = await everything();
    const dry = await apply(text, "?dryRun=true");
    expect(dry.documents).toMatchObject([{ action: "unchanged" }]);
    expect((await apply(text)).documents).toMatchObject([{ action: "unchanged" }]);
    expect(await everything()).toEqual(before);
    // What is read can be applied, too.
    expect(actionsOf((await apply(`${others}---\n${text}`)).documents).every((line) => line.endsWith("unchanged"))).toBe(true);
  });

  test("a schedule whose only time has passed", async () => {
    await apply(others);
    const text = storedOtherwise["a schedule of one time"] ?? "";
    await apply(text);
    await app.sql`update schedule set status = 'completed', next_at = null, fire_at = null, date_at = '2001-01-31T07:00:00Z' where name = 'once'`;
    expect((await apply(text.replace("2099", "2001"))).documents).toMatchObject([{ action: "unchanged" }]);
  });

  test("but a workflow follows its task to a new version, once", async () => {
    await apply(others);
    const text = others.replace("echo flat", "echo flatter");
    expect(actionsOf((await apply(text)).documents)).toEqual([
      "Task flat updated",
      "Workflow for-schedules updated",
      "Workflow no-trigger updated",
    ]);
    expect(actionsOf((await apply(text)).documents).every((line) => line.endsWith("unchanged"))).toBe(true);
  });
});

describe("a dry run", () => {
  test("reports what would change and stores nothing", async () => {
    await apply(everyKind);
    const before = await everything();
    const text = `${everyKind.replace("value: eu", "value: us")}---\nkind: Workflow\nname: new\ntasks: [{name: t, taskRef: flat}]\n`;
    const { documents, dryRun } = await apply(text, "?dryRun=true");
    expect(dryRun).toBe(true);
    expect(documents.filter(({ action }: AppliedDocument) => action !== "unchanged")).toEqual([
      expect.objectContaining({ index: 7, name: "region", action: "updated" }),
      { index: 10, kind: "Workflow", name: "new", action: "created", version: 1, diff: expect.stringContaining("+name: new\n") },
    ]);
    expect(documents[10].diff).toMatch(/^--- \/dev\/null\n\+\+\+ Workflow new\n@@ /);
    expect(await everything()).toEqual(before);
  });

  test("shows changes and problems side by side, and no generated secret", async () => {
    const text = "kind: Subscription\nname: s\ntarget: {url: https://example.com/}\n---\nkind: Parameter\nvalue: 1\n";
    const { documents, problems } = await apply(text, "?dryRun=true");
    expect(documents).toEqual([{ index: 0, kind: "Subscription", name: "s", action: "created", diff: expect.any(String) }]);
    expect(problems).toEqual([
      { index: 1, kind: "Parameter", reason: "VALIDATION_FAILED", path: "/name", line: 5, column: 1, message: "is missing" },
    ]);
  });

  test("does not block other writers after it has ended", async () => {
    await apply(everyKind, "?dryRun=true");
    const [locks] =
      await app.sql`select count(*)::int as count from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`;
    expect(locks).toEqual({ count: 0 });
  });
});

describe("a set with problems", () => {
  test("changes nothing, although only its last document is wrong", async () => {
    const before = await everything();
    const answer = await app
      .as()
      .post(path, `${everyKind}---\nkind: Schedule\nname: x\nworkflowRef: nowhere\ntimezone: UTC\ncronSchedule: 0 1 * * *\n`, yaml);
    expect([answer.status, answer.body.reason, answer.body.errors.length]).toEqual([400, "VALIDATION_FAILED", 1]);
    expect(answer.body.errors[0]).toMatchObject({
      path: "/10",
      message: expect.stringMatching(/^document 11 \(Schedule x\), line \d+, column 1: .*nowhere/),
    });
    expect(await everything()).toEqual(before);
  });

  test("names all problems of all documents, each with its line", async () => {
    const text = `kind: Workflow
name: one
tasks:
  - name: a
    taskRef: 5.5.
    dependencies: many
---
kind: Nothing
name: two
---
name: [
---
kind: Schedule
workflowRef: one
timezone: UTC
cronSchedule: 61 * * * *
---
apiVersion: tekton.dev/v1
kind: Task
metadata: {name: t}
spec: {steps: 1}
---
kind: Workflow
name: circle
tasks:
  - {name: a, taskRef: missing, dependencies: [{taskRef: b}]}
---
kind: Parameter
name: p
type: password
value: abc
---
kind: Parameter
name: fine
value: 1
---
kind: Parameter
name: fine
value: 2
`;
    const { problems } = await apply(text, "?dryRun=true");
    expect(problemsIn(problems)).toEqual([
      [0, "/tasks/0/dependencies", 6, expect.stringMatching(/^is "many"/)],
      [1, "/kind", 8, expect.stringMatching(/^is "Nothing"; it must be one of /)],
      [2, "", 12, expect.any(String)],
      [3, "", 13, "It was not checked, since it refers to document 1 (Workflow one), which has problems"],
      [4, "/spec/steps", 21, expect.stringContaining("must be a list")],
      [5, expect.stringMatching(/^\/tasks\/0/), 26, expect.any(String)],
      [6, "/value", 31, expect.stringMatching(/of parameter "p"/)],
      [8, "/name", 38, expect.stringMatching(/^is fine, as in document 8/)],
    ]);
  });

  test("does not repeat for a document what is wrong with the one it refers to", async () => {
    const { problems } = await apply(
      "kind: Schedule\nworkflowRef: w\ntimezone: UTC\ncronSchedule: 0 * * * *\n---\nkind: Workflow\nname: w\ntasks: [{name: a, taskRef: missing}]\n",
      "?dryRun=true",
    );
    expect(problemsIn(problems)).toEqual([
      [0, "", 1, "It was not checked, since it refers to document 2 (Workflow w), which has problems"],
      [1, expect.stringContaining("/tasks/0"), 8, expect.stringContaining("missing")],
    ]);
  });

  test.each([
    ["is empty", "# nothing\n---\n", /contains no document/],
    ["has too many documents", "kind: Parameter\nname: p\n---\n".repeat(501), /more than 500 documents/],
  ])("is refused where it %s", async (_why, text, message) => {
    const { status, body } = await app.as().post(path, text, yaml);
    expect([status, body.message]).toEqual([400, expect.stringMatching(message)]);
  });

  test("names unknown members, and refuses them under strict handling", async () => {
    const text = "kind: Subscription\nname: s\ncolour: red\ntarget: {url: https://example.com/}\n";
    expect((await apply(text, "?dryRun=true")).documents[0].warnings).toEqual(["/colour is unknown here and has no effect"]);
    const strict = await app.as().post(`${path}?dryRun=true`, text, { ...yaml, prefer: "handling=strict" });
    expect(problemsIn(strict.body.problems)).toEqual([[0, "/colour", 3, "is unknown here"]]);
  });
});

describe("permissions", () => {
  test("are those of each kind's own endpoint", async () => {
    const all = "**/read";
    const needs = {
      Workflow: "workflow/write",
      Pipeline: "workflow/write",
      Task: "task/write",
      StepAction: "task/write",
      Schedule: "schedule/write",
      Parameter: "team/write",
      Subscription: "integration/write",
    } as const;
    await apply(everyKind);
    const reader = app.as(await app.make.teamToken(team.id, [all]));
    expect((await reader.post(`${path}?dryRun=true`, everyKind, yaml)).status).toBe(403);
    const hook = app.as(await app.make.teamToken(team.id, [all, "integration/write"]));
    const denied = await hook.post(`${path}?dryRun=true`, everyKind, yaml);
    expect(denied.body.problems.map(({ reason }: ApplyProblem) => reason)).toEqual(Array(9).fill("PERMISSION_DENIED"));
    expect((await hook.post(path, everyKind, yaml)).status).toBe(403);
    for (const [kind, permission] of Object.entries(needs)) {
      const client = app.as(await app.make.teamToken(team.id, [all, permission]));
      const { body } = await client.post(`${path}?dryRun=true`, everyKind, yaml);
      const allowed = Object.entries(needs).flatMap(([one, needed]) => (needed === permission ? [one] : []));
      const saved = new Set(body.documents.map((document: AppliedDocument) => document.kind));
      // A pipeline with tasks inside needs two.
      expect([kind, [...saved].sort()]).toEqual([kind, allowed.filter((one) => one !== "Pipeline").sort()]);
    }
  });

  test("of the instance are not those of a team", async () => {
    const owner = await app.make.member(team.id, "owner");
    const text = `kind: Parameter\nname: p\nvalue: 1\n---\nkind: Task\nname: t\ntype: script\nspec: {script: echo}\n---\nkind: WorkflowTemplate\nname: w\n---\nkind: Team\nname: ${team.name}\ndisplayName: Mine\n`;
    const { body } = await app.as(owner.token).post("/api/v2/apply?dryRun=true", text, yaml);
    expect(body.problems.map(({ index, reason }: ApplyProblem) => [index, reason])).toEqual(
      [0, 1, 2].map((index) => [index, "PERMISSION_DENIED"]),
    );
    expect(actionsOf(body.documents)).toEqual([`Team ${team.name} updated`]);
  });

  test("hide other teams, and refuse callers without a credential and workflow tokens", async () => {
    const other = await app.make.team();
    const owner = await app.make.member(other.id, "owner");
    expect((await app.as(owner.token).post(path, everyKind, yaml)).status).toBe(404);
    expect((await app.as(null).post(path, everyKind, yaml)).status).toBe(401);
    await apply(everyKind);
    const { id } = (await app.as().get(`/api/v2/team/${team.name}/workflow/nightly`)).body;
    const token = await app.make.workflowToken(team.id, id);
    expect((await app.as(token).post(path, everyKind, yaml)).status).toBe(403);
  });

  test("don't let a reader find out by comparing whether a secret is the stored one", async () => {
    await apply(everyKind);
    const reader = app.as(await app.make.teamToken(team.id, ["**/read", "workflow/write"]));
    const guess = (value: string) =>
      reader.post(`${path}?dryRun=true`, `kind: Parameter\nname: key\ntype: password\nvalue: ${value}\n`, yaml);
    const [right, wrong] = [await guess("the secret of the team"), await guess("something else here")];
    expect(right.body).toEqual(wrong.body);
    expect(right.body.problems).toMatchObject([{ reason: "PERMISSION_DENIED" }]);
  });
});

test("a caller who may write but not read gets no diff", async () => {
  await apply(everyKind);
  const client = app.as(await app.make.teamToken(team.id, ["workflow/write", "task/read"]));
  const { body } = await client.post(`${path}?dryRun=true`, "kind: Workflow\nname: zeta\ntasks: [{name: copied, taskRef: flat}]\n", yaml);
  expect(body.documents).toMatchObject([{ action: "updated", version: 2 }]);
  expect(body.documents[0].diff).toBeUndefined();
});

test("an empty secret that is not stored is reported, and refused under strict handling", async () => {
  const text = "kind: Workflow\nname: w\nparams: []\ntasks: [{name: a, taskRef: t, params: [{name: p, value: '', hiddenValue: true}]}]\n";
  const task = "---\nkind: Task\nname: t\ntype: script\nspec: {script: echo, params: [{name: p, type: password}]}\n";
  expect((await apply(text + task, "?dryRun=true")).documents[0].warnings).toContain(
    "these secrets are empty, and none is stored: /tasks/0/params/0",
  );
  const strict = await app.as().post(`${path}?dryRun=true`, text + task, { ...yaml, prefer: "handling=strict" });
  expect(problemsIn(strict.body.problems)).toEqual([
    [0, "/tasks/0/params/0/value", 4, expect.stringMatching(/there is none; give its value/)],
  ]);
});

test("a new secret of a subscription signs beside the previous one; the same secret changes nothing", async () => {
  const text = (secret: string) => `kind: Subscription\nname: s\nsecret: ${secret}\ntarget: {url: https://example.com/}\n`;
  const secret = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString("base64")}`;
  await apply(text(secret(1)));
  expect((await apply(text(secret(1)))).documents).toMatchObject([{ action: "unchanged" }]);
  const { documents } = await apply(text(secret(2)));
  expect(documents).toEqual([
    { index: 0, kind: "Subscription", name: "s", id: expect.any(String), action: "updated", changesSecrets: true },
  ]);
  const { body } = await app.as().get(`/api/v2/team/${team.name}/subscription/s`);
  expect(body.oldSecretUntil).toBeDefined();
  const moved = await app.as().post(path, "kind: Subscription\nname: s\ntarget: {url: https://example.org/}\n", yaml);
  expect([moved.status, moved.body.errors[0].path]).toEqual([400, "/0/secret"]);
});

describe("prune", () => {
  const rest = `kind: Parameter\nname: region\nvalue: eu\n`;

  test("deletes what has the label and is not in the set, and shows it before", async () => {
    await apply(everyKind);
    const before = await everything();
    const wanted = ["Schedule at three deleted", "Workflow nightly deleted", "Workflow zeta deleted"];
    const dry = await apply(
      `${rest}---\n${everyKind.slice(everyKind.indexOf("apiVersion: tekton.dev/v1\nkind: Task"))}`.replace(
        rest.trim(),
        "kind: Parameter\nname: other\nvalue: 1",
      ),
      "?dryRun=true&prune=by%3Dset",
    );
    expect(actionsOf(dry.documents).filter((line) => line.endsWith("deleted"))).toEqual(wanted);
    expect(dry.documents.at(-1)).toMatchObject({
      kind: "Workflow",
      name: "zeta",
      diff: expect.stringMatching(/^--- Workflow zeta\n\+\+\+ \/dev\/null\n/),
    });
    expect(dry.documents.at(-1).index).toBeUndefined();
    expect(await everything()).toEqual(before);
    const pipeline = everyKind.slice(
      everyKind.indexOf("apiVersion: tekton.dev/v1\nkind: Pipeline"),
      everyKind.indexOf("---\napiVersion: millrace.dev/v1\nkind: Parameter\nname: region"),
    );
    const { documents } = await apply(
      `${pipeline}---\n${everyKind.slice(everyKind.indexOf("apiVersion: tekton.dev/v1\nkind: Task"), everyKind.indexOf("---\napiVersion: millrace.dev/v1\nkind: Task"))}`,
      "?prune=by%3Dset",
    );
    expect(actionsOf(documents).filter((line) => line.endsWith("deleted"))).toEqual(wanted);
    expect((await app.as().get(`/api/v2/team/${team.name}/workflow/nightly`)).status).toBe(404);
    const records = await app.sql`select action, object_name from audit where team_id = ${team.id} and action like '%/delete' order by id`;
    expect(records.map(({ action, object_name }) => [action, object_name])).toEqual([
      ["schedule/delete", "at three"],
      ["workflow/delete", "nightly"],
      ["workflow/delete", "zeta"],
    ]);
  });

  test("does not delete a task that a workflow outside of the set uses, and then nothing at all changes", async () => {
    await apply(everyKind);
    const before = await everything();
    const { status, body } = await app.as().post(`${path}?prune=by%3Dset`, rest.replace("eu", "us"), yaml);
    expect([status, body.message]).toEqual([400, expect.stringMatching(/Task copy.*from-tekton/)]);
    expect(await everything()).toEqual(before);
  });

  test("needs the permission to delete, and keeps to the team", async () => {
    await apply(everyKind);
    const other = await app.make.team();
    const editor = await app.make.member(team.id, "editor");
    const { body } = await app.as(editor.token).post(`${path}?dryRun=true&prune=by%3Dset`, rest, yaml);
    expect(new Set(body.problems.map(({ reason }: ApplyProblem) => reason))).toEqual(new Set(["PERMISSION_DENIED"]));
    const elsewhere = await app.as().post(`/api/v2/team/${other.name}/apply?dryRun=true&prune=by%3Dset`, rest, yaml);
    expect(actionsOf(elsewhere.body.documents)).toEqual(["Parameter region created"]);
  });

  test.each(["?prune=", "?prune=by", "?prune=%3Dset"])("%s is refused without a label", async (query) => {
    expect((await app.as().post(`${path}${query}`, rest, yaml)).status).toBe(400);
  });

  test("cancels the runs of a workflow, as its deletion does", async () => {
    await apply(everyKind);
    const { id } = (await app.as().post(`/api/v2/team/${team.name}/workflow/zeta/submit?start=false`, {})).body;
    const kept = everyKind.replace(/# Without a kind[\s\S]*?---\n/, "").replace(/ {2}- name: more\n[\s\S]*?(?=---)/, "");
    expect(actionsOf((await apply(kept, "?prune=by%3Dset")).documents).filter((line) => line.endsWith("deleted"))).toEqual([
      "Workflow zeta deleted",
    ]);
    expect((await app.as().get(`/api/v2/team/${team.name}/workflowrun/${id}`)).status).toBe(404);
  });
});

describe("a document that says what it is", () => {
  const head = "apiVersion: millrace.dev/v1\nkind: ";
  const own = (kind: string) => everyKind.split("---\n").find((text) => text.startsWith(`${head}${kind}\n`)) ?? "";

  test("is accepted by its own endpoint, too, as YAML and as JSON", async () => {
    const at = `/api/v2/team/${team.name}`;
    const task = await app.as().put(`${at}/task/flat`, own("Task"), yaml);
    expect([task.status, task.body.type], task.text).toEqual([200, "script"]);
    const action = await app.as().put(`${at}/task/act`, `${head}StepAction\nname: act\nspec: {image: alpine, script: echo}\n`, yaml);
    expect([action.status, action.body.type], action.text).toEqual([200, "stepaction"]);
    const workflow = `${head}Workflow\nname: w\ntasks: [{name: a, taskRef: flat}]\ntriggers: {schedule: {enabled: true}}\n`;
    const saved = await app.as().post(`${at}/workflow`, workflow, yaml);
    expect([saved.status, saved.body.kind, saved.headers["x-unknown-members"]], saved.text).toEqual([200, undefined, undefined]);
    expect((await app.as().post(`${at}/workflow/validate`, workflow, yaml)).body).toEqual([]);
    const schedule = own("Schedule")
      .replace("nightly", "w")
      .replace(/params.*/, "");
    expect((await app.as().post(`${at}/schedule`, schedule, yaml)).status).toBe(200);
    const target = { url: "https://example.com/" };
    const subscription = { apiVersion: "millrace.dev/v1", kind: "Subscription", name: "s", target };
    expect((await app.as().post(`${at}/subscription`, subscription)).status).toBe(200);
  });

  test("is refused by another one, and in a version that is unknown", async () => {
    const at = `/api/v2/team/${team.name}/schedule`;
    const other = await app.as().post(at, own("Parameter"), yaml);
    expect([other.status, other.body.errors[0].message]).toEqual([
      400,
      expect.stringMatching(/^line 2, column 7: kind is "Parameter"; this endpoint takes Schedule/),
    ]);
    const later = await app.as().post(at, own("Schedule").replace("dev/v1", "dev/v2"), yaml);
    expect([later.status, later.body.errors[0].message]).toEqual([
      400,
      expect.stringMatching(/^line 1, .* is millrace.dev\/v2; it must be millrace.dev\/v1/),
    ]);
  });

  test("is what the export of a workflow gives as YAML; as JSON it has no kind", async () => {
    await apply(everyKind);
    const at = `/api/v2/team/${team.name}/workflow/zeta/export`;
    const { text } = await app.as().get(at, { accept: "application/yaml" });
    expect(text).toMatch(/^apiVersion: millrace.dev\/v1\nkind: Workflow\nname: zeta\n/);
    expect(actionsOf((await apply(text)).documents)).toEqual(["Workflow zeta unchanged"]);
    const { body } = await app.as().get(at);
    expect([body.apiVersion, body.kind, body.name]).toEqual([undefined, undefined, "zeta"]);
    expect((await app.as().post(`/api/v2/team/${team.name}/apply`, body)).body.documents).toMatchObject([{ action: "unchanged" }]);
  });
});

test("two sets for one team don't wait for each other: one is refused and can be retried", async () => {
  const answers = await Promise.all([
    apply(everyKind, "?dryRun=true").catch(() => undefined),
    ...Array.from({ length: 3 }, () => app.as().post(path, everyKind, yaml)),
  ]);
  const refused = answers.slice(1).filter((answer) => answer.status === 409);
  for (const { body, headers } of refused) expect([body.reason, headers["retry-after"]]).toEqual(["CONFLICT", "2"]);
  expect(actionsOf((await apply(everyKind)).documents).length).toBe(10);
});
