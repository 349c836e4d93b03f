import type { TeamRole } from "@millrace/contract/identity/user.ts";
import type { EmailTarget } from "@millrace/contract/outbound/subscription.ts";
import { holds } from "@millrace/contract/permission.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { params, runKit, type TestTeam } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";
import type { ClaimedDelivery } from "../../core/outbound/change-event.ts";
import { settingPlace } from "../../core/secret/sealed-places.ts";
import { teamRolePermissions } from "../../policy/permissions.ts";
import { setApproverGroup } from "../../store/team/members.ts";
import { readEmailTarget, votingRoles } from "./email-target.ts";

const { app, kit, team: makeTeam } = await runKit();
const password = "smtp-pass-word";

async function set(values: Record<string, string>) {
  await app.sql`delete from setting where group_key = 'mail'`;
  for (const [key, value] of Object.entries(values)) {
    const stored = key === "password" ? app.keyring.sealText(value, settingPlace("mail", key)) : value;
    await app.sql`insert into setting (group_key, key, value) values ('mail', ${key}, ${stored})`;
  }
}
const server = { host: "mail.example.com", from: "millrace@example.com" };
beforeEach(() => set(server));

async function read(team: TestTeam, target: EmailTarget, event: { kind: string; objectId: string; laneId: string }) {
  const delivery = { subscriptionId: null, teamId: team.id, target, event: { teamId: team.id, ...event } } as unknown as ClaimedDelivery;
  return readEmailTarget(app.sql, app.keyring, delivery);
}
const nowhere = "01900000-0000-7000-8000-000000000001";
const runEvent = (runId = nowhere) => ({ kind: "workflowrun", objectId: runId, laneId: runId });

async function recipients(team: TestTeam, target: EmailTarget, event: { kind: string; objectId: string; laneId: string } = runEvent()) {
  const answer = await read(team, target, event);
  return "target" in answer ? answer.target.recipients.toSorted() : answer.report.error;
}

/** A team with one member of each role, and an action that waits there. */
async function waiting(terms: Record<string, unknown> = {}) {
  const team = await makeTeam();
  const [owner, editor, reader] = await Promise.all((["owner", "editor", "reader"] as const).map((role) => team.member(role)));
  await setApproverGroup(app.sql, team.id, "judges", [reader!.userId]);
  await team.workflow("w", workflow(node("ask", "approval", ["start"], params({ instructions: "x", ...terms }))));
  const run = (await editor!.post(`${team.path}/workflow/w/submit?start=true`, {})).body;
  const [action] = (await owner!.get(`${team.path}/action/query`)).body.content;
  const event = { kind: "action", objectId: action.id as string, laneId: run.id as string };
  const approvers = () => recipients(team, { people: ["approvers"] }, event);
  return { team, owner: owner!, editor: editor!, reader: reader!, run, action, event, approvers };
}

describe("approvers are the people who may vote", () => {
  test("without a group the members whose role may act on actions", async () => {
    const { approvers, owner, editor } = await waiting();
    expect(await approvers()).toEqual([editor.email, owner.email].toSorted());
  });

  test("which are the roles that the policy says", () => {
    const roles = (Object.keys(teamRolePermissions) as TeamRole[]).filter((role) => holds(teamRolePermissions[role], "action/action"));
    expect(votingRoles.toSorted()).toEqual(roles.toSorted());
  });

  test("with a group its members, whatever their role is", async () => {
    const { approvers, reader } = await waiting({ approverGroupId: "judges" });
    expect(await approvers()).toEqual([reader.email]);
  });

  test("with a delegation the delegate instead, and news of it are for the delegate alone, as of an escalation", async () => {
    const { approvers, reader, owner, team, action, event } = await waiting({ approverGroupId: "judges" });
    expect((await reader.post(`${team.path}/action/${action.id}/delegate`, { user: owner.userId })).status).toBe(200);
    expect(await approvers()).toEqual([owner.email]);
    const open = await waiting();
    expect((await open.owner.post(`${open.team.path}/action/${open.action.id}/comment`, { comments: "Why?" })).status).toBe(200);
    const delegated = { ...open.event, status: "delegated", data: { delegateRefs: [open.editor.userId] } };
    expect(await recipients(open.team, { people: ["approvers"] }, delegated)).toEqual([open.editor.email]);
    expect(await recipients(team, { people: ["approvers"] }, { ...event, ...delegated, objectId: event.objectId })).toContain(
      "no recipients",
    );
    const escalated = { status: "escalated" };
    expect(await recipients(open.team, { people: ["approvers"] }, { ...open.event, ...delegated, ...escalated })).toEqual([
      open.editor.email,
    ]);
  });

  test("not the starter of the run if excluded, nor voters, nor inactive members, nor anyone once it is decided", async () => {
    const barred = await waiting({ requesterMayNotApprove: true, numberOfApprovers: 2 });
    expect(await barred.approvers()).toEqual([barred.owner.email]);
    const voted = await waiting({ numberOfApprovers: 2 });
    expect((await voted.owner.put(`${voted.team.path}/action`, [{ id: voted.action.id, approved: true }])).status).toBe(204);
    expect(await voted.approvers()).toEqual([voted.editor.email]);
    await app.sql`update app_user set status = 'inactive' where id = ${voted.editor.userId}`;
    expect(await voted.approvers()).toContain("There are no recipients");
    const decided = await waiting();
    await decided.owner.put(`${decided.team.path}/action`, [{ id: decided.action.id, approved: true }]);
    expect(await decided.approvers()).toContain("There are no recipients");
  });
});

describe("others", () => {
  test("roles are their members, addresses are as given, and each is written to once", async () => {
    const { team, owner, reader } = await waiting();
    expect(await recipients(team, { to: [owner.email.toUpperCase(), "x@example.com"], people: ["owners", "readers"] })).toEqual(
      [owner.email, reader.email, "x@example.com"].toSorted(),
    );
  });

  test("the initiator is the person who started the run, while they are in the team", async () => {
    const { team, run, editor, event } = await waiting();
    expect(await recipients(team, { people: ["initiator"] }, runEvent(run.id))).toEqual([editor.email]);
    expect(await recipients(team, { people: ["initiator"] }, event)).toEqual([editor.email]);
    await app.sql`delete from team_member where user_id = ${editor.userId}`;
    expect(await recipients(team, { people: ["initiator"] }, runEvent(run.id))).toContain("There are no recipients");
  });

  test("people of another team are never among them", async () => {
    const [one, other] = [await waiting(), await waiting()];
    expect(await recipients(other.team, { people: ["approvers", "initiator"] }, one.event)).toContain("There are no recipients");
  });

  test("addresses beyond the domains of the setting are left out", async () => {
    await set({ ...server, domains: "example.com" });
    const team = await makeTeam();
    expect(await recipients(team, { to: ["a@example.com", "b@elsewhere.test"] })).toEqual(["a@example.com"]);
    expect(await recipients(team, { to: ["b@elsewhere.test"] })).toContain("allows only example.com");
  });
});

describe("the mail server", () => {
  test("is that of the settings, with the password in clear", async () => {
    await set({ ...server, port: "465", security: "tls", user: "u", password });
    const answer = await read(await kitTeam(), { to: ["a@example.com"] }, runEvent());
    expect(answer).toMatchObject({
      target: { server: { host: "mail.example.com", port: 465, security: "tls", credentials: { user: "u", password } }, from: server.from },
    });
  });

  test.each<[string, Record<string, string>, string]>([
    ["no server", {}, "No mail server is configured"],
    ["no sender", { host: "mail.example.com" }, "mail/from"],
    ["a user without a password", { ...server, user: "u" }, "mail/password"],
  ])("with %s it is tried again later, and says who can help", async (_, values, message) => {
    await set(values);
    expect(await read(await kitTeam(), { to: ["a@example.com"] }, runEvent())).toMatchObject({
      report: { outcome: "retry", error: expect.stringContaining(message) },
    });
  });

  test("a password that was sealed with another key is no reason to stop", async () => {
    await set({ ...server, user: "u" });
    await app.sql`insert into setting (group_key, key, value) values ('mail', 'password', 'not an envelope')`;
    expect(await read(await kitTeam(), { to: ["a@example.com"] }, runEvent())).toMatchObject({
      report: { outcome: "retry", error: expect.stringContaining("can't be decrypted") },
    });
  });
});

let shared: TestTeam | undefined;
async function kitTeam(): Promise<TestTeam> {
  await kit.settle();
  shared ??= await makeTeam();
  return shared;
}
