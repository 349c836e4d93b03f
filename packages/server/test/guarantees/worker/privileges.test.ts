import { beforeEach, describe, expect, test } from "vitest";
import { needsMet } from "../../../src/core/task/place-task.ts";
import { createKnownRuns } from "../../../src/domain/run/attempt-scope.ts";
import { prepareJobs } from "../../../src/engine/prepare-jobs.ts";
import { claimTaskRuns } from "../../../src/store/worker/workers.ts";
import { testApp } from "../../kit/app.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { randomName } from "../../kit/factories.ts";
import { testExecutors } from "../../kit/worker/test-executor.ts";

/** Steps have privileges only where the instance and the team allow them: checked at every save, and again before each attempt. */
const app = await testApp();
const kit = engineKit(app.sql, app);
beforeEach(forbidHere);

async function newTeam() {
  const team = await app.make.team();
  const [owner, editor, reader] = [
    await app.make.member(team.id, "owner"),
    await app.make.member(team.id, "editor"),
    await app.make.member(team.id, "reader"),
  ];
  return { ...team, path: `/api/v2/team/${team.name}`, owner, editor, reader };
}

type Team = Awaited<ReturnType<typeof newTeam>>;

async function forbidHere(): Promise<void> {
  app.context.allowsPrivileged = false;
}

async function allowed(): Promise<Team> {
  app.context.allowsPrivileged = true;
  const team = await newTeam();
  await app.as().patch(team.path, { allowPrivileged: true });
  return team;
}

const plain = { name: "a", image: "alpine", script: "true" };
const asking = { name: "b", image: "alpine", script: "true", securityContext: { privileged: true } };
const task = (name: string, spec: object = { steps: [plain, asking] }) => ({ name, type: "template", spec });
const flow = (taskRef: string, more: object = {}) => ({
  name: randomName("flow"),
  tasks: [{ name: "a", taskRef, dependencies: [{ taskRef: "start" }], ...more }],
});
const save = (team: Team, what: "task" | "workflow", body: object) => app.as(team.owner.token).post(`${team.path}/${what}`, body);
const refused = (...words: string[]) => ({
  status: 400,
  body: { message: expect.stringMatching(new RegExp(words.map((word) => `(?=.*${word})`).join(""), "s")) },
});
const both = ["MILLRACE_ALLOW_PRIVILEGED=true", "allowPrivileged of the team"];

describe("the flag of a team", () => {
  test("is set by administrators only, not by others who may change the team, and it is recorded", async () => {
    const { id, path, owner, editor, reader } = await newTeam();
    const operator = await app.make.userToken((await app.make.user({ type: "operator" })).id);
    for (const token of [owner.token, editor.token, reader.token, operator, await app.make.teamToken(id)])
      expect((await app.as(token).patch(path, { allowPrivileged: true })).status).toBe(403);
    const refusal = await app.as(owner.token).patch(path, { allowPrivileged: true, allowHostNetwork: false });
    expect(refusal.body.message).toContain("allowPrivileged");
    const made = { name: randomName("t"), displayName: "T", allowPrivileged: true };
    expect((await app.as(owner.token).post("/api/v2/team", made)).status).toBe(403);
    expect((await app.as(owner.token).get(path)).body.allowPrivileged).toBe(false);
    expect((await app.as().patch(path, { allowPrivileged: true })).body.allowPrivileged).toBe(true);
    const { body: whole } = await app.as(owner.token).get(path);
    expect((await app.as(owner.token).patch(path, { allowPrivileged: whole.allowPrivileged, displayName: "Same" })).status).toBe(200);
    expect((await app.as(owner.token).patch(path, { allowPrivileged: false })).status).toBe(403);
    const { body: records } = await app.as().get(`/api/v2/audit/query?teams=${id}&limit=50&page=0`);
    const entries = await Promise.all(records.content.map((entry: { id: string }) => app.as().get(`/api/v2/audit/${entry.id}`)));
    expect(entries.map(({ body }) => body.after?.allowPrivileged)).toContain(true);
  });
});

describe("a save of a task with privileges", () => {
  test("needs both, and names the member, the setting and the flag", async () => {
    const team = await newTeam();
    const member = "/spec/steps/1/securityContext/privileged";
    expect(await save(team, "task", task("own"))).toMatchObject(refused(member, "this instance", ...both));
    await app.as().patch(team.path, { allowPrivileged: true });
    expect(await save(team, "task", task("own"))).toMatchObject(refused(member, "this instance", ...both));
    app.context.allowsPrivileged = true;
    expect((await save(team, "task", task("own"))).status).toBe(200);
    expect(await save(await newTeam(), "task", task("own"))).toMatchObject(refused(member, "team ", ...both));
  });

  test("is refused in every form: a new version, a check, a draft, a document, a task inside of a pipeline", async () => {
    const team = await newTeam();
    app.context.allowsPrivileged = true;
    const owner = app.as(team.owner.token);
    const yaml = { "Content-Type": "application/x-yaml" };
    const steps = "steps: [{name: a, image: alpine, script: 'true', securityContext: {privileged: yes}}]";
    const document = `apiVersion: tekton.dev/v1\nkind: Task\nmetadata: {name: own}\nspec:\n  ${steps}\n`;
    const pipeline = `apiVersion: tekton.dev/v1\nkind: Pipeline\nmetadata: {name: p}\nspec: {tasks: [{name: greet, taskSpec: {${steps}}}]}\n`;
    expect((await save(team, "task", task("own", { steps: [plain] }))).status).toBe(200);
    expect(await owner.put(`${team.path}/task/own`, task("own"))).toMatchObject(refused("privileged", ...both));
    expect(await owner.put(`${team.path}/task/own?replace=true`, task("own"))).toMatchObject(refused("privileged", ...both));
    expect(await owner.post(`${team.path}/task/validate`, document, yaml)).toMatchObject(refused("line 5", "privileged", ...both));
    expect(await owner.put(`${team.path}/task/own`, document, yaml)).toMatchObject(refused("line 5", "privileged", ...both));
    expect(await owner.post(`${team.path}/task/own/try`, { draft: task("own") })).toMatchObject(refused("privileged", ...both));
    expect(await owner.post(`${team.path}/workflow`, pipeline, yaml)).toMatchObject(refused("privileged", ...both));
  });

  test.each([
    ["the step template", { stepTemplate: { securityContext: { privileged: true } }, steps: [plain] }, "stepTemplate"],
    [
      "the step template of a flat step",
      { stepTemplate: { securityContext: { privileged: true } }, script: "x", image: "a" },
      "stepTemplate",
    ],
    ["a capability", { steps: [{ ...plain, securityContext: { capabilities: { add: ["cap_net_raw"] } } }] }, "capabilities/add"],
    ["an escalation", { steps: [{ ...plain, securityContext: { allowPrivilegeEscalation: true } }] }, "allowPrivilegeEscalation"],
    ["a sidecar", { steps: [plain], sidecars: [{ name: "d", image: "docker:dind", securityContext: { privileged: true } }] }, "sidecars/0"],
  ])("is refused for %s as well", async (_what, spec, member) => {
    const team = await newTeam();
    expect(await save(team, "task", task("own", spec))).toMatchObject(refused(member, ...both));
  });

  test("can't get it from a StepAction either", async () => {
    const team = await newTeam();
    const action = { image: "alpine", script: "true", securityContext: { capabilities: { add: ["SYS_ADMIN"] } } };
    expect((await save(team, "task", { name: "act", type: "stepaction", spec: action })).status).toBe(200);
    expect(await save(team, "task", task("own", { steps: [{ name: "a", ref: { name: "act" } }] }))).toMatchObject(
      refused("SYS_ADMIN", "this instance", ...both),
    );
    app.context.allowsPrivileged = true;
    await app.as().patch(team.path, { allowPrivileged: true });
    expect((await save(team, "task", task("own", { steps: [{ name: "a", ref: { name: "act" } }] }))).status).toBe(200);
  });

  test("can't hide it in a parameter, with the rights or without", async () => {
    const team = await allowed();
    for (const securityContext of [{ privileged: "$(params.p)" }, { capabilities: { add: ["$(params.p)"] } }]) {
      const spec = { params: [{ name: "p" }], steps: [{ ...plain, securityContext }] };
      expect(await save(team, "task", task("own", spec))).toMatchObject(refused("without references|can't have references"));
    }
  });

  test("is not needed for settings that only restrict", async () => {
    const team = await newTeam();
    const securityContext = {
      ...{ privileged: false, allowPrivilegeEscalation: false, runAsNonRoot: true, readOnlyRootFilesystem: true },
      ...{ runAsUser: 65532, capabilities: { drop: ["ALL"] } },
    };
    expect((await save(team, "task", task("own", { steps: [{ ...plain, securityContext }] }))).status).toBe(200);
  });
});

describe("a global task with privileges", () => {
  test("needs the instance to be saved, and the flag of each team that uses it", async () => {
    const shared = randomName("shared");
    expect(await app.as().post("/api/v2/task", task(shared))).toMatchObject(refused("MILLRACE_ALLOW_PRIVILEGED=true"));
    const team = await allowed();
    const other = await newTeam();
    expect((await app.as().post("/api/v2/task", task(shared))).status).toBe(200);
    expect((await save(team, "workflow", flow(shared))).status).toBe(200);
    expect(await save(other, "workflow", flow(shared))).toMatchObject(refused("steps\\[1\\].securityContext.privileged", ...both));
    const problems = await app.as(other.owner.token).post(`${other.path}/workflow/validate`, flow(shared));
    expect(problems.body).toMatchObject([{ message: expect.stringContaining("allowPrivileged of the team") }]);
    await app.as().put(`/api/v2/task/${shared}`, task(shared, { steps: [plain] }));
    expect((await save(other, "workflow", flow(shared))).status).toBe(200);
    expect(await save(other, "workflow", flow(shared, { taskVersion: 1 }))).toMatchObject(refused("privileged", ...both));
  });
});

describe("an attempt", () => {
  const limits = { memoryBytes: 1, processes: 1, outputBytes: 1, resultBytes: 1 };

  /** The jobs that a worker with a container executor would prepare from the team's ready task runs. */
  async function prepared(team: Team) {
    await kit.settle();
    const claims = await claimTaskRuns(app.sql, await kit.worker({ executors: ["container"] }), 100, needsMet(["container"]), []);
    const settings = { executors: testExecutors("container"), workspacesDir: "/nowhere", limits };
    const jobs = await prepareJobs(app.sql, app.context, settings, claims);
    return jobs
      .filter(({ claim }) => claim.teamId === team.id)
      .map(({ job, refusal }) => refusal ?? job?.steps.map((step) => step.privileges));
  }
  const submit = (team: Team, name: string) => app.as(team.editor.token).post(`${team.path}/workflow/${name}/submit`, {});

  test("has the privileges of its steps, and no other step has any", async () => {
    const team = await allowed();
    await save(team, "task", task("own"));
    const { name } = (await save(team, "workflow", flow("own"))).body;
    expect((await submit(team, name)).status).toBe(200);
    expect(await prepared(team)).toEqual([[undefined, expect.objectContaining({ isPrivileged: true, user: 0 })]]);
  });

  test.each([
    ["the team has lost the right", async (team: Team) => void (await app.as().patch(team.path, { allowPrivileged: false })), "team "],
    ["the instance has", forbidHere, "this instance"],
  ])("is refused in the same words once %s, a rerun and a run that waits too", async (_what, takeAway, whose) => {
    const team = await allowed();
    await save(team, "task", task("own"));
    const { name } = (await save(team, "workflow", flow("own"))).body;
    await submit(team, name);
    await takeAway(team);
    await submit(team, name);
    const message = expect.stringMatching(
      new RegExp(`task own cannot run: steps\\[1\\]\\.securityContext\\.privileged is true, but ${whose}.*${both.join(" and ")}`),
    );
    expect(await prepared(team)).toEqual([
      { reason: "InvalidTask", message },
      { reason: "InvalidTask", message },
    ]);
  });

  test("is checked against the team's current right, whatever is cached of its run", async () => {
    const team = await allowed();
    await save(team, "task", task("own"));
    const { name } = (await save(team, "workflow", flow("own"))).body;
    await submit(team, name);
    await kit.settle();
    const workerId = await kit.worker({ executors: ["container"] });
    const claims = await claimTaskRuns(app.sql, workerId, 100, needsMet(["container"]), []);
    for (const claim of claims) app.context.states.claimed(claim, workerId);
    const settings = { executors: testExecutors("container"), workspacesDir: "/nowhere", limits, recent: createKnownRuns() };
    const problems = async () => (await prepareJobs(app.sql, app.context, settings, claims)).map(({ refusal }) => refusal?.reason);
    expect(await problems()).toEqual([undefined]);
    await app.as().patch(team.path, { allowPrivileged: false });
    expect(await problems()).toEqual(["InvalidTask"]);
  });

  test("is refused when an administrator has put privileges into a global task that the team uses", async () => {
    const shared = randomName("shared");
    await app.as().post("/api/v2/task", task(shared, { steps: [plain] }));
    const team = await newTeam();
    const { name } = (await save(team, "workflow", flow(shared))).body;
    app.context.allowsPrivileged = true;
    expect((await app.as().put(`/api/v2/task/${shared}?replace=true`, task(shared))).status).toBe(200);
    await submit(team, name);
    expect(await prepared(team)).toEqual([{ reason: "InvalidTask", message: expect.stringContaining("allowPrivileged of the team") }]);
  });

  test("of a task stored before this check existed gets no privileges", async () => {
    const team = await allowed();
    await save(team, "task", task("own", { steps: [plain] }));
    const { name } = (await save(team, "workflow", flow("own"))).body;
    const steps = JSON.stringify([{ ...plain, securityContext: { privileged: "true" } }]);
    await app.sql`
      update task_version v set spec = jsonb_set(v.spec::jsonb, '{steps}', ${steps}::jsonb)::json
      from task t where t.id = v.task_id and t.team_id = ${team.id}`;
    await submit(team, name);
    expect(await prepared(team)).toEqual([{ reason: "InvalidTask", message: expect.stringContaining("must be true or false") }]);
  });
});
