import { flow, greet, hourly, password, type RaceRequest, type RaceWorld, subscription, token, view, workflowTest } from "./race-world.ts";

export type Make = (world: RaceWorld) => Promise<RaceRequest>;

/** A request that needs something which its path does not name. */
export async function after(made: Promise<unknown>, request: RaceRequest): Promise<RaceRequest> {
  await made;
  return request;
}

/** What may be done with a run while its workflow or its team is deleted. */
export const ofRun: Record<string, Make> = {
  "comment on a run": async (w) => ["POST", `${await w.run()}/comment`, { text: "down" }],
  "delete a comment": async (w) => ["DELETE", await w.comment()],
  "acknowledge a run": async (w) => ["PUT", `${await w.endedRun()}/acknowledgement`, { text: "looking" }],
  "label a run": async (w) => ["PATCH", await w.run(), { labels: { stage: "test" } }],
  "cancel a run": async (w) => ["DELETE", `${await w.run()}/cancel`],
  "retry a run": async (w) => ["PUT", `${await w.endedRun()}/retry`],
  "rerun a run": async (w) => ["POST", `${await w.endedRun()}/rerun`, {}],
  "make a test of a run": async (w) => ["POST", `${await w.endedRun()}/test`, { name: "as before" }],
  "act on many runs": async (w) => after(w.run(), ["POST", `${w.team}/workflowrun/bulk`, { action: "cancel", filter: {}, expected: 1 }]),
  vote: async (w) => ["PUT", `${w.team}/action`, [{ id: await w.action(), approved: true }], (await w.member()).as],
  "comment on an action": async (w) => ["POST", `${w.team}/action/${await w.action()}/comment`, { comments: "why" }, (await w.member()).as],
  "delegate an action": async (w) => [
    "POST",
    `${w.team}/action/${await w.action()}/delegate`,
    { user: (await w.app.make.member(w.team.split("/").at(-1)!)).email },
    (await w.member()).as,
  ],
  "call back": async (w) => ["POST", `/api/v2/callback?ref=${(await w.run()).split("/").at(-1)}&topic=go`, {}],
};

/** The same for a workflow. */
export const ofWorkflow: Record<string, Make> = {
  "save a workflow": async (w) => after(w.workflow(), ["PUT", `${w.team}/workflow`, flow("changed")]),
  "replace a workflow": async (w) => after(w.workflow(), ["PUT", `${w.team}/workflow?replace=true`, flow("changed")]),
  "save the canvas": async (w) => {
    const path = `${await w.workflow()}/compose`;
    return ["PUT", path, { ...(await w.must("GET", path)), description: "changed" }];
  },
  "apply a workflow": async (w) => after(w.workflow(), ["POST", `${w.team}/apply`, { kind: "Workflow", ...flow("changed") }]),
  "duplicate a workflow": async (w) => ["POST", `${await w.workflow()}/duplicate`],
  "archive a workflow": async (w) => ["PUT", `${await w.workflow()}/archive`],
  "mark a favourite": async (w) => ["PUT", `${await w.workflow()}/favourite`, undefined, (await w.member()).as],
  "set a webhook secret": async (w) => ["PUT", `${await w.workflow()}/webhook-secret`],
  "submit a run": async (w) => ["POST", `${await w.workflow()}/submit?start=true`, {}],
  "submit a run once": async (w) => ["POST", `${await w.workflow()}/submit`, {}],
  "try a task": async (w) => ["POST", `${await w.workflow()}/try`, { only: "ask" }],
  "edit a workflow": async (w) => ["PUT", `${await w.workflow()}/editing`, { session: "k3vYx0Qa" }, (await w.member()).as],
  "save a test": async (w) => ["PUT", `${await w.workflow()}/test/greets`, workflowTest],
  "run the tests": async (w) => after(w.test(), ["POST", `${await w.workflow()}/test/run`, {}]),
  "protect a workflow": async (w) => ["PUT", `${await w.workflow()}/protection`, { approverGroup: await w.group() }],
  "create a schedule": async (w) => after(w.workflow(), ["POST", `${w.team}/schedule`, hourly]),
  "save a schedule": async (w) => ["PUT", `${w.team}/schedule`, { ...hourly, id: await w.schedule(), description: "changed" }],
  "run a schedule": async (w) => ["POST", `${w.team}/schedule/${await w.schedule()}/submit`],
  "backfill a schedule": async (w) => [
    "POST",
    `${w.team}/schedule/${await w.schedule()}/backfill`,
    { from: new Date(Date.now() - 7_200_000).toISOString(), to: new Date().toISOString() },
  ],
  "create a token of a workflow": async (w) => {
    await w.workflow();
    const { id } = await w.must("GET", `${w.team}/workflow/flow`);
    return ["POST", "/api/v2/token", { type: "workflow", name: "t", principal: id, permissions: ["workflow/action"] }];
  },
  "send a webhook": async (w) => {
    await w.workflow();
    await w.must("PUT", `${w.team}/workflow`, { ...flow(), triggers: { webhook: { enabled: true } } });
    const { id } = await w.must("GET", `${w.team}/workflow/flow`);
    return ["POST", `/api/v2/webhook?ref=${id}`, {}];
  },
};

/** The same for a team. */
export const ofTeam: Record<string, Make> = {
  "change a team": async (w) => ["PATCH", w.team, { displayName: "Other" }],
  "add a member": async (w) => ["PATCH", w.team, { members: [{ id: (await w.user()).id, role: "editor" }] }],
  "add a group": async (w) => ["PATCH", w.team, { approverGroups: [{ name: "new", approvers: [(await w.member()).id] }] }],
  "add a parameter": async (w) => ["PATCH", w.team, { parameters: [password] }],
  "reset the quotas": async (w) => ["DELETE", `${w.team}/quotas`],
  "invite a user": async (w) => ["POST", `${w.team}/invitation`, { email: `n-${w.name}@example.com`, role: "editor" }],
  "renew an invitation": async (w) => ["POST", `${(await w.invitation()).path}/renew`, {}],
  "accept an invitation": async (w) => ["POST", "/api/v2/invitation/accept", acceptance((await w.invitation()).token)],
  "leave a team": async (w) => after(w.user(), ["DELETE", `${w.team}/leave`, undefined, (await w.member()).as]),
  "create a workflow": async (w) => ["POST", `${w.team}/workflow`, flow()],
  "create a task": async (w) => ["POST", `${w.team}/task`, greet],
  "save a task": async (w) => after(w.task(), ["PUT", `${w.team}/task/greet`, { ...greet, description: "changed" }]),
  "create a view": async (w) => ["POST", `${w.team}/workflowrun/view`, view],
  "create a subscription": async (w) => ["POST", `${w.team}/subscription`, subscription("new")],
  "create a token of a team": async (w) => ["POST", "/api/v2/token", token(w.name)],
  "protect a team": async (w) => ["PUT", `${w.team}/protection`, { approverGroup: await w.group() }],
  "protect a secret": async (w) => after(w.secret(), ["PUT", `${await w.secret()}/protection`, { approverGroup: await w.group() }]),
  "apply a task": async (w) => ["POST", `${w.team}/apply`, { kind: "Task", ...greet }],
};

const acceptance = (text: string) => ({ token: text, name: "Bob", password: "correct horse battery" });
