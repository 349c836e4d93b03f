import { describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { randomName } from "../../../test/kit/factories.ts";
import { listStepActions } from "../../store/task/step-actions.ts";

const app = await testApp();
const yaml = { "content-type": "application/x-yaml", accept: "application/x-yaml" };
const asYaml = { accept: "application/x-yaml" };

async function teamWithOwner() {
  const team = await app.make.team();
  return { team, path: `/api/v2/team/${team.name}`, owner: app.as((await app.make.member(team.id, "owner")).token) };
}

const actionText = (name: string, script = "echo $(params.who)") => `# Says hello
apiVersion: tekton.dev/v1
kind: StepAction
metadata:
  name: ${name}
spec:
  params:
    - name: who # a name
  results:
    - name: said
  image: alpine
  script: ${script}
`;

const taskText = (name: string, ref: string) => `apiVersion: tekton.dev/v1
kind: Task
metadata:
  name: ${name}
spec:
  params:
    - name: person
  steps:
    # what it does is said elsewhere
    - name: hello
      ref:
        name: ${ref}
      params:
        - name: who
          value: $(params.person)
`;

describe("a StepAction", () => {
  test("is saved, read, listed, versioned and deleted like a task, and says its kind", async () => {
    const { path, owner } = await teamWithOwner();
    const made = await owner.post(`${path}/task`, actionText("greet"), yaml);
    expect(made.status).toBe(200);
    expect(made.text).toContain("kind: StepAction");
    expect(made.text).toContain("- name: who # a name");
    const { body } = await owner.get(`${path}/task/greet`);
    expect(body).toMatchObject({ type: "stepaction", version: 1, spec: { image: "alpine", params: [{ name: "who" }] } });
    const changed = await owner.put(`${path}/task/greet`, { type: "stepaction", spec: { ...body.spec, script: "echo 2" } });
    expect(changed.body).toMatchObject({ type: "stepaction", version: 2 });
    expect((await owner.get(`${path}/task/greet?version=1`, asYaml)).text).toContain("echo $(params.who)");
    expect((await owner.get(`${path}/task/greet`, asYaml)).text).toMatch(/^apiVersion: tekton.dev\/v1beta1\nkind: StepAction\n/);
    expect((await owner.get(`${path}/task/greet/changelog`)).body).toHaveLength(2);
    const query = (types: string) => owner.get(`${path}/task/query?limit=10&page=0&types=${types}`);
    expect((await query("stepaction")).body).toMatchObject({ totalElements: 1, content: [{ name: "greet" }] });
    expect((await query("template")).body).toMatchObject({ totalElements: 0 });
    expect((await owner.post(`${path}/task/validate`, actionText("other"), yaml)).status).toBe(204);
    expect((await owner.delete(`${path}/task/greet`)).status).toBe(204);
  });

  test("never becomes a task, and no task becomes one", async () => {
    const { path, owner } = await teamWithOwner();
    await owner.post(`${path}/task`, actionText("act"), yaml);
    await owner.post(`${path}/task`, { name: "job", spec: { script: "x" } });
    const invalid = (message: string) => ({
      status: 400,
      body: { reason: "TASK_INVALID_DEFINITION", message: expect.stringContaining(message) },
    });
    const json = { "content-type": "application/x-yaml" };
    expect(await owner.put(`${path}/task/job`, actionText("job"), json)).toMatchObject(invalid("job is a task"));
    expect(await owner.put(`${path}/task/act`, taskText("act", "act"), json)).toMatchObject(invalid("act is a StepAction"));
    expect(await owner.put(`${path}/task/act`, { type: "template", spec: { script: "x" } })).toMatchObject(invalid("act is a StepAction"));
    const typed = taskText("t", "act").replace("  name: t\n", "  name: t\n  annotations: {millrace.dev/type: stepaction}\n");
    expect(await owner.post(`${path}/task`, typed, json)).toMatchObject(invalid("a StepAction has the kind StepAction"));
    const other = actionText("b").replace("  name: b\n", "  name: b\n  annotations: {millrace.dev/type: script}\n");
    expect(await owner.post(`${path}/task`, other, json)).toMatchObject(invalid("annotations have the type script; a StepAction has none"));
  });

  test("is no task of a node", async () => {
    const { path, owner } = await teamWithOwner();
    await owner.post(`${path}/task`, actionText("act"), yaml);
    const tasks = [{ name: "n", taskRef: "act", dependencies: [{ taskRef: "start" }] }];
    const refused = await owner.post(`${path}/workflow`, { name: randomName("w"), tasks });
    expect(refused).toMatchObject({ status: 400, body: { reason: "WORKFLOW_INVALID_TASK_REF" } });
    expect(refused.body.message).toContain("refers to act: it is a StepAction, a step of tasks; use a task with a step that refers to it");
    expect(await owner.post(`${path}/task/act/try`, {})).toMatchObject({ status: 400, body: { reason: "WORKFLOW_INVALID_TASK_REF" } });
  });
});

describe("a task that refers to one", () => {
  test("has a copy of its newest version, and its document is returned unchanged", async () => {
    const { path, owner } = await teamWithOwner();
    await owner.post(`${path}/task`, actionText("act", "echo one"), yaml);
    await owner.put(`${path}/task/act`, actionText("act", "echo two"), yaml);
    const saved = await owner.post(`${path}/task`, taskText("t", "act"), yaml);
    expect(saved.status).toBe(200);
    expect(saved.text).toContain(taskText("t", "act").slice(taskText("t", "act").indexOf("spec:")));
    const read = async (version = "") => (await owner.get(`${path}/task/t${version}`)).body;
    const copied = { ref: { name: "act" }, stepAction: { name: "act", version: 2, isGlobal: false, script: "echo two" } };
    expect((await read()).spec.steps).toMatchObject([copied]);
    await owner.put(`${path}/task/act`, actionText("act", "echo three"), yaml);
    expect((await read()).spec.steps).toMatchObject([copied]);
    await owner.put(`${path}/task/t`, await read());
    expect((await read()).spec.steps).toMatchObject([{ stepAction: { version: 3, script: "echo three" } }]);
    expect((await read("?version=1")).spec.steps).toMatchObject([copied]);
    const document = (await owner.get(`${path}/task/t`, asYaml)).text;
    expect(document).toContain("name: act");
    expect(document).not.toContain("stepAction");
    expect(document).not.toContain("echo");
  });

  test("keeps running after the StepAction is deleted, but can't be saved again", async () => {
    const { path, owner } = await teamWithOwner();
    await owner.post(`${path}/task`, actionText("act"), yaml);
    await owner.post(`${path}/task`, taskText("t", "act"), yaml);
    expect((await owner.delete(`${path}/task/act`)).status).toBe(204);
    const tasks = [{ name: "n", taskRef: "t", params: [{ name: "person", value: "Ada" }], dependencies: [{ taskRef: "start" }] }];
    expect((await owner.post(`${path}/workflow`, { name: randomName("w"), tasks })).status).toBe(200);
    const again = await owner.put(`${path}/task/t`, taskText("t", "act"), { "content-type": "application/x-yaml" });
    expect(again.body).toMatchObject({ reason: "TASK_INVALID_DEFINITION", errors: [{ path: "/spec/steps/0/ref/name" }] });
    await owner.post(`${path}/task`, { name: "off", type: "stepaction", status: "inactive", spec: { script: "x" } });
    const inactive = await owner.post(`${path}/task`, { name: "u", spec: { steps: [{ ref: { name: "off" } }] } });
    expect(inactive.body.message).toContain("has an active StepAction of that name");
  });

  test("uses its own team's before the instance's, and never another team's", async () => {
    const [one, two] = [await teamWithOwner(), await teamWithOwner()];
    const [shared, hidden] = [randomName("shared"), randomName("hidden")];
    const spec = (script: string) => ({ type: "stepaction", spec: { script } });
    await app.as().put(`/api/v2/task/${shared}`, spec("echo instance"));
    await one.owner.put(`${one.path}/task/${shared}`, spec("echo team"));
    await two.owner.put(`${two.path}/task/${hidden}`, spec("echo hidden"));
    const save = (name: string, as: typeof one, base = as.path) =>
      (as === one ? one.owner : two.owner).put(`${base}/task/t`, { spec: { steps: [{ ref: { name } }] } });
    const scriptOf = ({ body }: Awaited<ReturnType<typeof save>>) => [
      body.spec.steps[0].stepAction.script,
      body.spec.steps[0].stepAction.isGlobal,
    ];
    expect(scriptOf(await save(shared, one))).toEqual(["echo team", false]);
    expect(scriptOf(await save(shared, two))).toEqual(["echo instance", true]);
    expect(await save(hidden, one)).toMatchObject({ status: 400 });
    const ofInstance = (name: string) => app.as().put(`/api/v2/task/${randomName("g")}`, { spec: { steps: [{ ref: { name } }] } });
    expect((await ofInstance(shared)).body.spec.steps[0].stepAction.script).toBe("echo instance");
    expect(await ofInstance(hidden)).toMatchObject({ status: 400 });
    expect(await ofInstance("execute-shell")).toMatchObject({ status: 400 });
  });

  test("copies one mebibyte at most, and no more than a few are read for it", async () => {
    const { team, path, owner } = await teamWithOwner();
    for (const name of ["one", "two"]) {
      const made = await owner.put(`${path}/task/${name}`, { type: "stepaction", spec: { script: name.repeat(200_000) } });
      expect(made.status).toBe(200);
    }
    const save = (...names: string[]) => owner.put(`${path}/task/t`, { spec: { steps: names.map((name) => ({ name, ref: { name } })) } });
    expect((await save("one")).status).toBe(200);
    expect((await save("one", "two")).body).toMatchObject({ reason: "TASK_INVALID_DEFINITION", errors: [{ path: "/spec/steps" }] });
    const read = await listStepActions(app.sql, team.id, ["one", "two"], 700_000);
    expect(read.map(({ spec }) => spec === null)).toEqual([false, true]);
  });

  test("can't bring a copy of its own", async () => {
    const { path, owner } = await teamWithOwner();
    await owner.post(`${path}/task`, { name: "act", type: "stepaction", spec: { script: "echo real" } });
    const forged = { ref: { name: "act" }, stepAction: { name: "act", version: 9, params: [], script: "echo forged", env: 5 } };
    const { body } = await owner.post(`${path}/task`, { name: "t", spec: { steps: [forged] } });
    expect(body.spec.steps).toEqual([{ ref: { name: "act" }, stepAction: expect.objectContaining({ version: 1, script: "echo real" }) }]);
    const gone = await owner.post(`${path}/task`, { name: "u", spec: { steps: [{ ...forged, ref: { name: "gone" } }] } });
    expect(gone).toMatchObject({ status: 400, body: { reason: "TASK_INVALID_DEFINITION" } });
    const template = { stepTemplate: forged, steps: [{ script: "x" }] };
    expect(await owner.post(`${path}/task`, { name: "v", spec: template })).toMatchObject({ status: 400 });
    const document = taskText("w", "act").replace("    - name: hello\n", "    - name: hello\n      stepAction: {script: x}\n");
    const refused = await owner.post(`${path}/task`, document, { "content-type": "application/x-yaml" });
    expect(refused.body.errors[0]).toMatchObject({
      path: "/spec/steps/0/stepAction",
      message: expect.stringContaining("set by the service"),
    });
  });
});
