import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { randomName } from "../../../test/kit/factories.ts";
import { makeTask } from "../../../test/kit/workflow-factories.ts";

const app = await testApp();
const path = "/api/v2/workflowtemplate";
const reader = (await app.make.member((await app.make.team()).id, "reader")).token;

beforeAll(() => makeTask(app.sql, { name: "call", params: [{ name: "password", type: "password" }, { name: "url" }] }));

const apply = (body: unknown, query = "", headers = {}) => app.as().put(`${path}${query}`, body, headers);
const read = async (name: string, query = "") => (await app.as(reader).get(`${path}/${name}${query}`)).body;

describe("PUT workflowtemplate", () => {
  test("creates what is not there, and then writes new versions of it, whatever the case of the name", async () => {
    expect((await apply({ name: "My-Flow", markdown: "one" })).body).toMatchObject({ name: "My-Flow", version: 1, markdown: "one" });
    expect((await apply({ name: "my-flow", markdown: "two" })).body).toMatchObject({
      name: "My-Flow",
      version: 2,
      changelog: { reason: "Updated WorkflowTemplate" },
    });
    expect(await read("my-flow", "?version=1")).toMatchObject({ version: 1, markdown: "one" });
    expect(await read("MY-FLOW")).toMatchObject({ version: 2, markdown: "two" });
  });

  test("with replace=true keeps the number and overwrites the content of the latest version", async () => {
    for (const markdown of ["one", "two"]) await apply({ name: "replaced", markdown });
    expect((await apply({ name: "replaced", markdown: "three" }, "?replace=true")).body).toMatchObject({ version: 2, markdown: "three" });
    expect((await read("replaced", "?version=1")).markdown).toBe("one");
    const changelog = await app.as(reader).get(`${path}/replaced/changelog`);
    expect(changelog.body).toMatchObject([
      { version: 1, reason: "Initial WorkflowTemplate" },
      { version: 2, reason: "Updated WorkflowTemplate" },
    ]);
  });

  test("takes what is versioned from the body, and changes the rest where it is given, for all versions at once", async () => {
    const first = { name: "kept", displayName: "One", icon: "i", description: "d", labels: { a: "1", b: "1" }, timeout: 5, mine: 1 };
    await apply({ ...first, tasks: [{ name: "a", taskRef: "call" }] });
    const { body } = await apply({ name: "kept", displayName: "Two", icon: "", labels: { b: "2" }, annotations: { x: 1 } });
    expect(body).toMatchObject({ displayName: "Two", description: "d", labels: { a: "1", b: "2" }, annotations: { x: 1 } });
    expect(body.tasks).toHaveLength(2);
    for (const member of ["timeout", "mine", "icon"]) expect(body).not.toHaveProperty(member);
    expect(await read("kept", "?version=1")).toMatchObject({ displayName: "Two", timeout: 5, mine: 1 });
    expect((await apply({ name: "kept", labels: { c: "3" } }, "?replace=true")).body.labels).toEqual({ c: "3" });
  });

  test("keeps the secrets that a client sends back empty, sealed for no team", async () => {
    const name = randomName("secret");
    const params = [{ name: "token", type: "password", default: "open sesame" }];
    const tasks = [{ name: "a", taskRef: "call", params: [{ name: "password", value: "correct horse" }] }];
    const { body } = await apply({ name, params, tasks });
    const sealed = async (version: number) => {
      const [row] = await app.sql`
        select v.document from workflow_template t join workflow_template_version v on v.template_id = t.id
        where t.name = ${name} and v.version = ${version}`;
      const document = row!["document"] as { params: { default: string }[]; tasks: { name: string; params: { value: string }[] }[] };
      return [document.params[0]?.default, document.tasks.find((task) => task.name === "a")?.params[0]?.value];
    };
    expect((await apply(body)).body.version).toBe(2);
    expect(await sealed(2)).toEqual(await sealed(1));
    expect(JSON.stringify(await sealed(2))).not.toMatch(/sesame|horse/);
    expect(app.keyring.openText((await sealed(2))[0] as string, "workflow_template_version|document")).toBe("open sesame");
    const audit =
      await app.sql`select before::text || after::text as text from audit where object_kind = 'workflowtemplate' and before is not null`;
    expect(JSON.stringify(audit)).not.toMatch(/sesame|horse|mrsealed/);
  });

  test("records author and reason, and ignores those that a client sends back", async () => {
    await apply({ name: "told", changelog: { reason: "Because", author: "someone else", date: "2001-01-01" } });
    const first = await read("told");
    expect(first.changelog).toMatchObject({ reason: "Because", author: "admin token" });
    expect(first.creationDate).toBe(first.changelog.date);
    expect((await apply(first)).body.changelog.reason).toBe("Updated WorkflowTemplate");
  });

  test("with If-Match is refused if someone else was faster", async () => {
    const { headers } = await apply({ name: "matched" });
    const tag = { "if-match": headers["etag"] as string };
    expect((await apply({ name: "matched" }, "", tag)).status).toBe(200);
    expect((await apply({ name: "matched" }, "", tag)).status).toBe(412);
    expect((await apply({ name: "not-there" }, "", { "if-match": "*" })).status).toBe(412);
    expect((await read("matched")).version).toBe(2);
    expect((await read("not-there")).reason).toBe("TASK_INVALID_REFERENCE");
  });

  test("concurrent writes create a chain of versions", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => apply({ name: "chain" })));
    expect(answers.map(({ body }) => body.version).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test("refuses what POST refuses, and callers who may not write templates", async () => {
    expect((await apply({ name: "a b" })).body).toMatchObject({ code: 1403, reason: "TASK_INVALID_NAME" });
    expect((await apply({ name: "query" })).status).toBe(422);
    expect((await apply({ name: "x", tasks: [{ name: "a", taskRef: "nope" }] })).body.reason).toBe("WORKFLOW_INVALID_TASK_REF");
    expect((await app.as(reader).put(path, { name: "x" })).status).toBe(403);
    expect((await app.as(null).put(path, { name: "x" })).status).toBe(401);
    expect((await read("x")).reason).toBe("TASK_INVALID_REFERENCE");
  });

  test("leaves an audit record with the state before and after", async () => {
    await apply({ name: "audited", displayName: "One" });
    await apply({ name: "audited", displayName: "Two" });
    const rows = await app.sql`
      select action, object_kind, before, after from audit where object_name = 'audited' order by id`;
    expect(rows).toMatchObject([
      { action: "workflowtemplate/write", object_kind: "workflowtemplate", before: null, after: { displayName: "One", version: 1 } },
      { action: "workflowtemplate/write", before: { displayName: "One", version: 1 }, after: { displayName: "Two", version: 2 } },
    ]);
  });
});
