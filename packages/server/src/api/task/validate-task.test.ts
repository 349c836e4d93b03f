import { expect, test } from "vitest";
import { testApp } from "../../../test/app.ts";

const app = await testApp();
const team = await app.make.team();
const reader = app.as((await app.make.member(team.id, "reader")).token);
const yaml = { "content-type": "application/x-yaml" };
const paths = [`/api/v2/team/${team.name}/task/validate`, "/api/v2/task/validate"];
const good =
  "apiVersion: tekton.dev/v1\nkind: Task\nmetadata:\n  name: fine\nspec:\n  params: [{name: p}]\n  steps:\n    - name: one\n      script: echo $(params.p)\n";

test.each(paths)("%s: a document that could be saved gives an empty answer, and nothing is stored", async (path) => {
  expect(await reader.post(path, good, yaml)).toMatchObject({ status: 204, text: "" });
  expect((await reader.post(path, good, { "content-type": "text/yaml" })).status).toBe(204);
  const careless = await reader.post(path, good.replace("params.p", "params.q"), yaml);
  expect(careless).toMatchObject({ status: 204, headers: { warning: expect.stringContaining("the parameter q") } });
  const [row] = await app.sql`select count(*)::int as count from task`;
  expect(row!["count"]).toBe(0);
});

test.each(paths)("%s: all that is wrong is told by line and column", async (path) => {
  const refused = async (text: string) =>
    (await reader.post(path, text, yaml)) as { status: number; body: { reason: string; errors: { message: string }[] } };
  const answer = await refused(good.replace("name: one", "name: [1]").replace("{name: p}", "{}"));
  expect(answer).toMatchObject({ status: 400, body: { reason: "TASK_INVALID_DEFINITION" } });
  expect(answer.body.errors.map(({ message }) => message).sort()).toEqual([
    "line 6, column 12: spec.params.0.name is missing",
    "line 8, column 13: spec.steps.0.name must be a text",
  ]);
  expect((await refused(good.replace("fine", "not fine"))).body.reason).toBe("TASK_INVALID_NAME");
  expect((await refused(good.replace("script", "unknown"))).body.errors).toMatchObject([
    { message: expect.stringContaining("there is nothing to run") },
  ]);
  expect((await refused(good.replace("kind: Task", "kind: Pipeline"))).body.errors).toMatchObject([
    { message: expect.stringContaining("Pipeline fine") },
  ]);
  expect((await refused(`${good}---\n${good}`)).body.errors).toMatchObject([
    { message: expect.stringContaining("2 documents (Task fine, Task fine)") },
  ]);
  expect((await refused(good.replace("kind: Task", "kind: Task\nkind: Task"))).body.errors).toMatchObject([
    { message: "line 3, column 1: the key kind stands twice in one map" },
  ]);
});

test.each(paths)("%s: only YAML, only with a credential", async (path) => {
  expect((await reader.post(path, "{}")).status).toBe(415);
  expect((await reader.post(path, undefined)).status).toBe(400);
  expect((await app.as(null).post(path, good, yaml)).status).toBe(401);
});

test("a team is validated for by its members alone", async () => {
  const other = await app.make.team();
  const stranger = app.as((await app.make.member(other.id, "owner")).token);
  expect((await stranger.post(paths[0] as string, good, yaml)).body.reason).toBe("TEAM_INVALID_REF");
});

test.each(["[null]", "[{name: p}, text]", '"[null]"'])(
  "an annotation of the parameters with the entries %s is refused, not a failure",
  async (entries) => {
    const text = good.replace("name: fine", `name: fine\n  annotations:\n    millrace.dev/params: ${entries}`);
    expect(await reader.post(paths[0] as string, text, yaml)).toMatchObject({ status: 400, body: { reason: "TASK_INVALID_DEFINITION" } });
  },
);
