import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { makeTask } from "../../../test/kit/workflow-factories.ts";

const app = await testApp();
let team: { id: string; name: string };
let owner: string;
let path: string;

beforeAll(async () => {
  await makeTask(app.sql, { name: "shell" });
  await makeTask(app.sql, { name: "call", params: [{ name: "password", type: "password" }, { name: "url" }] });
});
beforeEach(async () => {
  team = await app.make.team();
  owner = (await app.make.member(team.id, "owner")).token;
  path = `/api/v2/team/${team.name}/workflow`;
});

const apply = (body: unknown, query = "", headers = {}) => app.as(owner).put(`${path}${query}`, body, headers);
const read = async (query = "") => (await app.as(owner).get(`${path}/w${query}`)).body;

describe("PUT workflow", () => {
  test("creates what is not there, under its slug, and then writes new versions of it", async () => {
    expect((await apply({ name: "My Flow", markdown: "one" })).body).toMatchObject({ name: "my-flow", version: 1, markdown: "one" });
    expect((await apply({ name: "my flow", markdown: "two" })).body).toMatchObject({
      name: "my-flow",
      version: 2,
      changelog: { reason: "Updated Workflow" },
    });
    const { body } = await app.as(owner).get(`${path}/my-flow?version=1`);
    expect(body).toMatchObject({ version: 1, markdown: "one", changelog: { reason: "Initial Workflow" } });
    expect((await app.as(owner).get(`${path}/query?sort=ASC&limit=5&page=0`)).body.totalElements).toBe(1);
  });

  test("with replace=true keeps the number and overwrites the content of the latest version", async () => {
    await apply({ name: "w", markdown: "one" });
    await apply({ name: "w", markdown: "two" });
    expect((await apply({ name: "w", markdown: "three" }, "?replace=true")).body).toMatchObject({ version: 2, markdown: "three" });
    expect((await read("?version=1")).markdown).toBe("one");
    const changelog = await app.as(owner).get(`${path}/w/changelog`);
    expect(changelog.body.map((entry: { version: number }) => entry.version)).toEqual([1, 2]);
    const kept = await app.sql`select count(*)::int as count from workflow_version where team_id = ${team.id}`;
    expect(kept[0]?.["count"]).toBe(3);
  });

  test("takes what is versioned entirely from the body", async () => {
    await apply({ name: "w", timeout: 5, retries: 1, params: [{ name: "p" }], tasks: [{ name: "a", taskRef: "shell" }], mine: 1 });
    const { body } = await apply({ name: "w" });
    expect(body).toMatchObject({ params: [], workspaces: [] });
    expect(body.tasks).toHaveLength(2);
    for (const member of ["timeout", "retries", "mine"]) expect(body).not.toHaveProperty(member);
  });

  test("changes what all versions share where it is given, for all versions at once", async () => {
    await apply({ name: "w", displayName: "One", icon: "i", description: "d", labels: { a: "1", b: "1" }, annotations: { x: [1] } });
    await apply({
      name: "w",
      displayName: "Two",
      icon: "",
      labels: { b: "2", c: "2" },
      status: "Inactive",
      triggers: { webhook: { enabled: true } },
    });
    const first = await read("?version=1");
    expect(first).toMatchObject({
      displayName: "Two",
      description: "d",
      labels: { a: "1", b: "2", c: "2" },
      annotations: { x: [1] },
      status: "inactive",
    });
    expect(first).not.toHaveProperty("icon");
    expect(first.triggers).toMatchObject({ webhook: { enabled: true }, manual: { enabled: true } });
    await apply({ name: "w", displayName: " ", labels: { d: "3" }, annotations: {} }, "?replace=true");
    expect(await read()).toMatchObject({ displayName: "Two", labels: { d: "3" }, annotations: {}, status: "inactive" });
    expect((await apply({ name: "w", status: "paused" })).body).toMatchObject({ reason: "VALIDATION_FAILED" });
  });

  test("null takes a label or an annotation away, in a version and in a replacement; the others stay", async () => {
    await apply({ name: "labelled", labels: { a: "1", b: "2", c: null }, annotations: { x: 1, y: { z: 2 } } });
    const second = await apply({ name: "labelled", labels: { a: null, never: null }, annotations: { y: null } });
    expect(second.body).toMatchObject({ version: 2, labels: { b: "2" }, annotations: { x: 1 } });
    expect([Object.keys(second.body.labels), Object.keys(second.body.annotations)]).toEqual([["b"], ["x"]]);
    const third = await apply({ name: "labelled", labels: { b: null, d: "4" } }, "?replace=true");
    expect(third.body.labels).toEqual({ d: "4" });
    expect((await apply({ name: "labelled", labels: { d: 4 } })).status).toBe(400);
  });

  test("records author, date and reason, and is not fooled by a client that sends back what it has read", async () => {
    await apply({ name: "w", changelog: { reason: "Because", author: "someone else", date: "2001-01-01" } });
    const first = await read();
    expect(first.changelog).toMatchObject({ reason: "Because" });
    expect(first.changelog.author).not.toBe("someone else");
    expect(Date.parse(first.changelog.date)).toBeGreaterThan(Date.parse("2020-01-01"));
    expect((await apply(first)).body.changelog.reason).toBe("Updated Workflow");
    expect((await apply({ ...first, changelog: { reason: "Because" } })).body.changelog.reason).toBe("Because");
  });

  test("concurrent writes create one version each", async () => {
    await apply({ name: "w" });
    const answers = await Promise.all(Array.from({ length: 6 }, () => apply({ name: "w" })));
    expect(answers.map(({ body }) => body.version).sort()).toEqual([2, 3, 4, 5, 6, 7]);
    expect((await app.as(owner).get(`${path}/w/changelog`)).body).toHaveLength(7);
  });

  test("concurrent creations give one workflow with a version each, even at the end of the quota", async () => {
    await app.sql`update team set max_workflow_count = 1 where id = ${team.id}`;
    const answers = await Promise.all(Array.from({ length: 5 }, () => apply({ name: "w" })));
    expect(answers.map(({ body }) => body.version).sort()).toEqual([1, 2, 3, 4, 5]);
    expect((await apply({ name: "another" })).status).toBe(429);
  });

  test("with If-Match is refused when someone else was faster", async () => {
    const created = await apply({ name: "w" }, "", { "if-match": '"x"' });
    expect([created.status, created.body.reason]).toEqual([412, "PRECONDITION_FAILED"]);
    const { headers } = await apply({ name: "w" });
    const mine = { "if-match": String(headers["etag"]) };
    const answers = await Promise.all([apply({ name: "w" }, "", mine), apply({ name: "w" }, "?replace=true", mine)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect((await apply({ name: "w" }, "", { "if-match": "*" })).status).toBe(200);
  });

  test("that is refused leaves the workflow as it is", async () => {
    await apply({ name: "w", markdown: "good" });
    const before = await read();
    expect((await apply({ name: "w", displayName: "Bad", tasks: [{ name: "a", taskRef: "nope" }] })).status).toBe(400);
    expect(await read()).toEqual(before);
  });

  test("needs the permission to write; a workflow token writes only its own workflow", async () => {
    const { body } = await apply({ name: "w" });
    const reader = (await app.make.member(team.id, "reader")).token;
    const outsider = (await app.make.member((await app.make.team()).id, "owner")).token;
    expect((await app.as(null).put(path, { name: "w" })).status).toBe(401);
    expect((await app.as(reader).put(path, { name: "w" })).status).toBe(403);
    expect((await app.as(outsider).put(path, { name: "w" })).status).toBe(404);
    const token = await app.make.workflowToken(team.id, body.id);
    expect((await app.as(token).put(path, { name: "w" })).status).toBe(200);
    expect((await app.as(token).put(path, { name: "other" })).status).toBe(403);
  });
});

describe("secrets", () => {
  const document = {
    name: "w",
    params: [{ name: "token", type: "password", default: "open sesame", value: "hunter2hunter2" }],
    tasks: [{ name: "a", taskRef: "call", params: [{ name: "password", value: "correct horse" }] }],
  };
  const shown = { name: "token", type: "password", value: "", default: "", hiddenValue: true };

  async function stored(): Promise<string> {
    const rows = await app.sql<
      { text: string }[]
    >`select string_agg(document::text, '\n' order by id) as text from workflow_version where team_id = ${team.id}`;
    return rows[0]?.text ?? "";
  }

  test("never appear in clear: not in any response, export, copy or audit record, and not in the database", async () => {
    const answers = [await apply(document), await apply(document, "?replace=true")];
    for (const part of ["", "/compose", "/export", "/changelog", "/available-parameters"])
      answers.push(await app.as(owner).get(`${path}/w${part}`));
    answers.push(await app.as(owner).post(`${path}/w/duplicate`), await app.as(owner).get(`${path}/query?sort=ASC&limit=9&page=0`));
    const audit =
      await app.sql`select coalesce(before::text, '') || coalesce(after::text, '') as text from audit where team_id = ${team.id}`;
    for (const text of [...answers.map((answer) => answer.text), await stored(), JSON.stringify(audit)]) {
      expect(text).not.toMatch(/sesame|hunter2|horse/);
    }
    for (const { text } of answers) expect(text).not.toContain("mrsealed");
    expect(answers[0]?.body.params).toEqual([shown]);
    expect(answers[0]?.body.tasks[1].params).toEqual([{ name: "password", value: "", hiddenValue: true }]);
  });

  test("stay when what was read is written back, over the document and over the canvas", async () => {
    await apply(document);
    const first = await stored();
    const sealed = /mrsealed:v1:[\w-]+/g;
    const wanted = first.match(sealed);
    expect(wanted).toHaveLength(3);
    await apply(await read());
    await app.as(owner).put(`${path}/w/compose`, (await app.as(owner).get(`${path}/w/compose`)).body);
    expect((await stored()).match(sealed)?.sort()).toEqual([...wanted!, ...wanted!, ...wanted!].sort());
  });
});
