import { describe, expect, test } from "vitest";
import { params, runKit } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";

const { app, kit, team } = await runKit();

const initiatorOf = ({ initiatedByRef, initiatedByType, initiatedByName }: Record<string, unknown>) => ({
  initiatedByRef,
  initiatedByType,
  initiatedByName,
});

async function someTeam() {
  const made = await team();
  await made.workflow("plain", workflow(node("a", "sleep", ["start"], params({ duration: 1000 }))));
  return made;
}

describe("who or what started a run", () => {
  test("is a person by name, or by the address if there is no name, until the account is deleted", async () => {
    const made = await someTeam();
    const editor = await made.member("editor");
    const named = (name: string) => ({ initiatedByRef: editor.userId, initiatedByType: "user", initiatedByName: name });
    const { body } = await editor.post(`${made.path}/workflow/plain/submit`, {});
    expect(initiatorOf(body)).toEqual(initiatorOf(await made.run(body.id)));
    await app.sql`update app_user set name = 'Ada' where id = ${editor.userId}`;
    expect(initiatorOf(await made.run(body.id))).toEqual(named("Ada"));
    await app.sql`update app_user set name = null where id = ${editor.userId}`;
    expect(initiatorOf(await made.run(body.id))).toEqual(named(editor.email));
    await app.sql`delete from team_member where team_id = ${made.id}`;
    expect((await app.as().delete(`/api/v2/user/${editor.userId}`)).status).toBe(204);
    expect(await made.run(body.id)).not.toHaveProperty("initiatedByName");
  });

  test("is a token that acts as itself, in the answer and when it is read", async () => {
    const made = await someTeam();
    const token = app.as(await app.make.teamToken(made.id, ["workflow/**", "workflowrun/**"]));
    const { body } = await token.post(`${made.path}/workflow/plain/submit`, {});
    expect(initiatorOf(body)).toMatchObject({ initiatedByType: "token", initiatedByName: expect.any(String) });
    expect(initiatorOf(await made.run(body.id))).toEqual(initiatorOf(body));
    expect((await token.get(`${made.path}/workflowrun/query?initiators=${body.initiatedByRef}`)).body.totalElements).toBe(1);
    expect((await token.get(`${made.path}/workflowrun/query?initiators=${made.id}`)).body.totalElements).toBe(0);
  });

  test("is the run whose task started it, with the name of its workflow", async () => {
    const made = await someTeam();
    await made.workflow("parent", workflow(node("child", "runworkflow", ["start"], params({ workflowRef: "plain" }))));
    const parent = await made.submit("parent");
    await kit.settle();
    const { content } = (await app.as().get(`${made.path}/workflowrun/query?initiators=${parent.id}`)).body;
    expect(content).toHaveLength(1);
    expect(initiatorOf(content[0])).toEqual({ initiatedByRef: parent.id, initiatedByType: "workflow", initiatedByName: "parent" });
  });

  test("is absent when it was not recorded, and has no id when it is the instance itself", async () => {
    const made = await someTeam();
    const { id } = await made.submit("plain");
    await app.sql`update run set initiated_by = 'instance' where id = ${id}`;
    expect(initiatorOf(await made.run(id))).toEqual({ initiatedByType: "instance" });
    await app.sql`update run set initiated_by = null where id = ${id}`;
    expect(initiatorOf(await made.run(id))).toEqual({});
  });
});
