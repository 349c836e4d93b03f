import { expect, test } from "vitest";
import { runKit } from "../../../test/kit/run-kit.ts";
import { makeTask } from "../../../test/kit/workflow-factories.ts";
import { setApproverGroup } from "../../store/team/members.ts";

const { app, team } = await runKit();
const admin = app.as();
await makeTask(app.sql, { name: "shell", params: [{ name: "script" }] });

const document = (name: string, script: string) => ({
  ...{ name, triggers: { manual: { enabled: true } } },
  tasks: [{ name: "ship", taskRef: "shell", params: [{ name: "script", value: script }] }],
});

/** A team of which all workflows are protected except `own`, which has another group. */
async function guarded() {
  const made = await team();
  const [editor, approver, other] = [await made.member("editor"), await made.member("editor"), await made.member("editor")];
  await setApproverGroup(app.sql, made.id, "releasers", [approver.userId]);
  await setApproverGroup(app.sql, made.id, "others", [other.userId]);
  const save = (body: object) => editor.put(`${made.path}/workflow`, body);
  for (const name of ["release", "own"]) expect((await save(document(name, "echo 1"))).status).toBe(200);
  const own = `${made.path}/workflow/own`;
  expect((await admin.put(`${own}/protection`, { approverGroup: "others" })).status).toBe(200);
  const protection = `${made.path}/protection`;
  expect((await admin.put(protection, { approverGroup: "releasers" })).body).toMatchObject({
    protected: true,
    approverGroupName: "releasers",
    workflows: [{ name: "own", approverGroupName: "others", approvalsRequired: 1 }],
  });
  const propose = async (body: object) => {
    const answer = await save(body);
    expect({ status: answer.status, reason: answer.body.reason }).toEqual({ status: 409, reason: "WORKFLOW_PROTECTED" });
    return answer.body.errors[0].message as string;
  };
  const vote = async (by: typeof editor, id: string) => (await by.put(`${made.path}/action`, [{ id, approved: true }])).status;
  return { ...made, editor, approver, other, own, protection, save, propose, vote };
}

test("every workflow of a protected team is protected, by its own group where it has one", async () => {
  const { editor, approver, other, path, own, propose, vote } = await guarded();
  expect((await editor.get(`${path}/workflow/release/protection`)).body).toMatchObject({
    ...{ protected: true, ofTeam: true, approverGroupName: "releasers", secrets: [] },
  });
  expect((await editor.get(`${own}/protection`)).body).toMatchObject({ protected: true, ofTeam: false, approverGroupName: "others" });
  const id = await propose(document("release", "echo 2"));
  expect(await vote(other, id)).toBe(403);
  expect(await vote(approver, id)).toBe(204);
  expect((await editor.get(`${path}/workflow/release`)).body.version).toBe(2);
  expect(await vote(other, await propose(document("own", "echo 2")))).toBe(204);
});

test("a new one is inactive until that is approved, whichever way it comes", async () => {
  const { editor, approver, path, propose, vote } = await guarded();
  const submit = async (name: string) => (await editor.post(`${path}/workflow/${name}/submit`, {})).status;
  const id = await propose(document("fresh", "echo 1"));
  expect((await editor.get(`${path}/workflow/fresh`)).body).toMatchObject({ version: 1, status: "inactive" });
  expect(await submit("fresh")).toBe(409);
  expect(await vote(approver, id)).toBe(204);
  expect((await editor.get(`${path}/workflow/fresh`)).body).toMatchObject({ version: 2, status: "active" });
  expect(await submit("fresh")).toBe(200);
  expect((await editor.post(`${path}/workflow`, document("posted", "echo 1"))).body.status).toBe("inactive");
  await propose({ ...document("posted", "echo 1"), status: "active" });
  const { documents } = (await editor.post(`${path}/apply`, [{ kind: "Workflow", ...document("applied", "echo 1") }])).body;
  expect(documents).toMatchObject([{ action: "proposed" }]);
  const { name, status } = (await editor.post(`${path}/workflow/release/duplicate`)).body;
  expect(status).toBe("inactive");
  for (const one of [name, "posted", "applied"]) expect(await submit(one)).toBe(409);
});

test("only owners change it; its group stays as long as it protects; turned off, workflows are saved as before", async () => {
  const { editor, approver, protection, path, save, propose, vote, member } = await guarded();
  for (const by of [editor, approver]) {
    expect((await by.put(protection, { approverGroup: "others" })).status).toBe(403);
    expect((await by.delete(protection)).status).toBe(403);
  }
  const owner = await member("owner");
  expect((await owner.put(protection, { approverGroup: "nobody" })).status).toBe(400);
  expect((await owner.put(protection, { approverGroup: "releasers", approvalsRequired: 2 })).status).toBe(400);
  expect((await owner.delete(`${path}/approvers`, ["releasers"])).body.message).toContain("all workflows of the team");
  // If the group changes, the new group has to approve open proposals, too.
  const id = await propose(document("release", "echo 2"));
  expect((await owner.put(protection, { approverGroup: "others" })).status).toBe(200);
  expect(await vote(approver, id)).toBe(204);
  expect((await editor.get(`${path}/workflow/release`)).body.version).toBe(1);
  expect((await owner.delete(protection)).status).toBe(204);
  expect((await save(document("release", "echo 3"))).body.version).toBe(2);
  const [newest] = (await editor.get(`${path}/workflow/release/proposal`)).body;
  expect(newest).toMatchObject({ status: "cancelled", note: expect.stringContaining("was saved") });
  const audited = (await admin.get(`${path}/audit/query?limit=100&page=0`)).body.content.map(({ action }: { action: string }) => action);
  expect(audited.filter((action: string) => action === "team/protect")).toHaveLength(3);
});
