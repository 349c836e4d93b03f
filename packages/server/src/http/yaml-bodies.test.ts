import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type TestApp, testApp } from "../../test/kit/app.ts";

/** Every JSON body that an endpoint accepts or returns also works as YAML. */
const app: TestApp = await testApp();
const yaml = { "content-type": "application/yaml" };
const inYaml = { accept: "application/yaml" };
let team: { id: string; name: string; path: string };

beforeAll(async () => {
  const { id, name } = await app.make.team();
  team = { id, name, path: `/api/v2/team/${name}` };
  const task = { name: "shell", type: "script", spec: { params: [{ name: "script" }], script: "$(params.script)" } };
  expect((await app.as().post("/api/v2/task", task)).status).toBe(200);
});

const workflow = `# A comment
name: nightly
description: |
  Copies
  everything
labels: {stage: "on", number: "1.0"}
params:
  - name: day
    default: 2024-01-01
tasks:
  - name: copy
    taskRef: shell
    params:
      - {name: script, value: "echo $(params.day)"}
`;

describe("a document in YAML", () => {
  test("is the workflow that the same JSON is, and its texts stay texts", async () => {
    const { status, body } = await app.as().post(`${team.path}/workflow`, workflow, yaml);
    expect([status, body.name, body.description, body.labels]).toEqual([
      200,
      "nightly",
      "Copies\neverything\n",
      { stage: "on", number: "1.0" },
    ]);
    expect(body.params).toMatchObject([{ name: "day", default: "2024-01-01" }]);
    expect((await app.as().put(`${team.path}/workflow`, workflow, yaml)).body.version).toBe(2);
  });

  test("is not exported as YAML if that would block other requests", async () => {
    const many = { name: "many", tasks: [], params: [{ name: "p", default: Array(60_000).fill([]) }] };
    const made = await app.as().post(`${team.path}/workflow`, many);
    expect(made.status, made.text).toBe(200);
    const refused = await app.as().get(`${team.path}/workflow/many/export`, inYaml);
    expect([refused.status, refused.body.reason]).toEqual([406, "NOT_ACCEPTABLE"]);
    expect((await app.as().get(`${team.path}/workflow/many/export`)).status).toBe(200);
    expect((await app.as().delete(`${team.path}/workflow/many`)).status).toBe(204);
  });

  test("comes back as YAML that creates the same workflow", async () => {
    const path = `${team.path}/workflow`;
    const { status, text, headers } = await app.as().get(`${path}/nightly/export`, inYaml);
    expect([status, headers["content-type"], headers["content-disposition"]]).toEqual([
      200,
      "application/x-yaml; charset=utf-8",
      'attachment; filename="nightly.yaml"',
    ]);
    const again = await app.as().post(path, text.replace("name: nightly", "name: nightly-again"), yaml);
    expect(again.status, again.text).toBe(200);
    const { id: _id, name: _name, ...content } = (await app.as().get(`${path}/nightly`)).body;
    const { id: _otherId, name: _otherName, ...other } = (await app.as().get(`${path}/nightly-again`)).body;
    expect({ tasks: other.tasks, params: other.params }).toEqual({ tasks: content.tasks, params: content.params });
  });

  test.each([["a schedule", "schedule", "name: s\nworkflowRef: nightly\ncronSchedule: 0 3 * * *\ntimezone: Europe/Oslo\ntype: cron\n"]])(
    "can be %s",
    async (_, path, text) => {
      const answer = await app.as().post(`${team.path}/${path}`, text, yaml);
      expect(answer.status, answer.text).toBeLessThan(300);
    },
  );

  test("can be the parameters of a team", async () => {
    const text = 'parameters:\n  - key: region\n    type: text\n    value: "010"\n';
    const { status, body } = await app.as().patch(team.path, text, yaml);
    expect([status, body.parameters]).toMatchObject([200, [{ name: "region", value: "010" }]]);
  });

  test.each([
    ["01234", "01234 would become 668"],
    ["1.10", "1.10 would become 1.1"],
    ["no", "no would become false"],
    ["1_000", "1_000 would become 1000"],
    ["0x1F", "0x1F would become 31"],
  ])("does not change a value that is meant as a text: %s", async (value, message) => {
    const made = await app.as().post(`${team.path}/workflow`, `name: texts\nparams: [{name: zip, default: ${value}}]\ntasks: []\n`, yaml);
    expect([made.status, made.body.message]).toEqual([400, expect.stringContaining(`line 2, column 31: ${message}`)]);
    const kept = await app
      .as()
      .post(`${team.path}/workflow/validate`, `name: texts\nparams: [{name: zip, default: "${value}"}]\ntasks: []\n`, yaml);
    expect(kept.status).toBe(200);
  });

  test.each(["1.1", "-5", "true", "False", "~", "1e+21", "0.5", "2001-01-01", "text"])("accepts unambiguous values: %s", async (value) => {
    const { status, text } = await app
      .as()
      .post(`${team.path}/workflow/validate`, `name: w\nparams: [{name: n, default: ${value}}]\ntasks: []\n`, yaml);
    expect([status, text]).toEqual([200, expect.not.stringContaining("would become")]);
  });

  test("starts a run", async () => {
    const { status, body } = await app.as().post(`${team.path}/workflow/nightly/submit`, "params:\n  - {name: day, value: 12}\n", yaml);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.params).toMatchObject([{ name: "day", value: 12 }]);
  });
});

describe("what is wrong in YAML", () => {
  test.each([
    ["name: [", /line 1, column \d+: /],
    ["name: w\nname: x\n", /line 2, column 1: .*name/],
    ["name: w\n---\nname: x\n", /line 3, column 1: a second document begins here/],
    ["- name: w\n", /line 1, column 1: /],
    ["name: w\ntasks:\n  - name: a\n    taskRef: 5.5.\n    dependencies: many\n", /line 5, column 19: tasks\.0\.dependencies is/],
    ["name: w\n__proto__: {a: 1}\n", /__proto__/],
    [
      "a: &a [1,2,3]\nb: &b [*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n",
      /./,
    ],
    ['name: "\\0"\n', /line 1, column 7/],
  ])("%j is refused by line", async (text, message) => {
    const { status, body } = await app.as().post(`${team.path}/workflow`, text, yaml);
    expect([status, body.message]).toEqual([400, expect.stringMatching(message)]);
  });

  test("has its line also where the rules refuse it, and not the schema", async () => {
    const text = "name: circle\ntasks:\n  - name: a\n    taskRef: shell\n    dependencies:\n      - taskRef: nowhere\n";
    const { status, body } = await app.as().post(`${team.path}/workflow`, text, yaml);
    expect(status).toBe(400);
    expect(body.errors[0].message).toMatch(/^line 6, column \d+: /);
  });

  test("has its line when it is unknown, and is refused strictly", async () => {
    const { status, body } = await app
      .as()
      .post(`${team.path}/workflow`, "name: w\ndependancies: []\n", { ...yaml, prefer: "handling=strict" });
    expect([status, body.errors[0].message]).toEqual([400, expect.stringMatching(/^line 2, column \d+: .*unknown/)]);
  });
});

test("a response is YAML if requested, and an error is JSON", async () => {
  const list = await app.as().get(`${team.path}/workflow/query?limit=10&page=0`, inYaml);
  expect([list.status, list.headers["content-type"], list.headers["vary"]]).toEqual([200, "application/x-yaml; charset=utf-8", "Accept"]);
  const { body } = await app.as().get(`${team.path}/workflow/query?limit=10&page=0`);
  expect(parse(list.text)).toEqual(body);
  const both = await app.as().get(`${team.path}`, { accept: "application/json, application/yaml;q=0.5" });
  expect(both.headers["content-type"]).toContain("application/json");
  for (const accept of ["application/vnd.example.yaml+zip", "yaml", `${"a".repeat(5000)}yaml`, "text/html"]) {
    const { status, headers } = await app.as().get(team.path, { accept });
    expect([accept, status, headers["content-type"]]).toEqual([accept, 200, expect.stringContaining("application/json")]);
  }
  const missing = await app.as().get(`${team.path}/workflow/nowhere`, inYaml);
  expect([missing.status, missing.headers["content-type"]]).toEqual([404, expect.stringContaining("json")]);
});

test("what other systems send and sign is no YAML", async () => {
  expect((await app.as().post("/api/v2/webhook?workflow=x&type=generic", "a: 1", yaml)).status).toBe(415);
});
