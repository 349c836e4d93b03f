import { after, type Make, ofRun, ofTeam, ofWorkflow } from "./race-requests.ts";
import { approval, flow, password, type RaceRequest, type RaceWorld, subscription, view } from "./race-world.ts";

export interface Removal {
  remove: Make;
  /** What others do at the same moment to the same thing, or to what belongs to it. */
  uses: Record<string, Make>;
}

const subscriptionAt = (at: (w: RaceWorld) => string): Removal => ({
  remove: async (w) => ["DELETE", await w.subscription(at(w))],
  uses: {
    "change a subscription": async (w) => ["PATCH", await w.subscription(at(w)), { isActive: false }],
    "replace a subscription": async (w) => ["PUT", await w.subscription(at(w)), subscription(`s2-${w.name}`)],
    "rotate the secret": async (w) => ["POST", `${await w.subscription(at(w))}/rotate`, {}],
    "test a subscription": async (w) => ["POST", `${await w.subscription(at(w))}/test`],
    "replay deliveries": async (w) => ["POST", `${await w.subscription(at(w))}/delivery/replay`],
    "delete it too": async (w) => ["DELETE", await w.subscription(at(w))],
  },
});

/** Every request that deletes something, with those that may meet it. */
export const removals: Record<string, Removal> = {
  "a team": {
    remove: async (w) => ["DELETE", w.team],
    uses: {
      ...ofTeam,
      ...pick(ofRun, "vote", "cancel a run", "label a run"),
      ...pick(
        ofWorkflow,
        "save a workflow",
        "submit a run",
        "try a task",
        "save a test",
        "create a schedule",
        "create a token of a workflow",
      ),
      "delete it too": async (w) => ["DELETE", w.team],
    },
  },
  "a workflow": {
    remove: async (w) => ["DELETE", await w.workflow()],
    uses: { ...ofRun, ...ofWorkflow, "delete it too": async (w) => ["DELETE", await w.workflow()] },
  },
  "a schedule": {
    remove: async (w) => ["DELETE", `${w.team}/schedule/${await w.schedule()}`],
    uses: {
      ...pick(ofWorkflow, "save a schedule", "run a schedule", "backfill a schedule", "save a workflow"),
      "delete it too": async (w) => ["DELETE", `${w.team}/schedule/${await w.schedule()}`],
    },
  },
  "a task": {
    remove: async (w) => ["DELETE", await w.task()],
    uses: {
      ...pick(ofTeam, "save a task", "apply a task"),
      "use a task": async (w) =>
        after(w.task(), ["POST", `${w.team}/workflow`, { name: "uses", tasks: [{ name: "a", taskRef: "greet" }] }]),
      "try the task": async (w) => ["POST", `${await w.task()}/try`, {}],
      "delete it too": async (w) => ["DELETE", await w.task()],
    },
  },
  "a member": {
    remove: async (w) => ["DELETE", `${w.team}/members`, [{ id: (await w.member()).id }]],
    uses: {
      ...pick(
        { ...ofRun, ...ofWorkflow, ...ofTeam },
        "add a group",
        "leave a team",
        "mark a favourite",
        "vote",
        "comment on an action",
        "edit a workflow",
      ),
      "change the role": async (w) => ["PATCH", w.team, { members: [{ id: (await w.member()).id, role: "reader" }] }],
      "delegate to them": async (w) => delegation(w),
      "join a group": async (w) =>
        after(w.group(), ["PATCH", w.team, { approverGroups: [{ name: "leads", approvers: [(await w.member()).id] }] }]),
      "delete it too": async (w) => ["DELETE", `${w.team}/members`, [{ id: (await w.member()).id }]],
    },
  },
  "a user": {
    remove: async (w) => ["DELETE", `/api/v2/user/${(await w.person()).id}`],
    uses: {
      "add a group of them": async (w) => [
        "PATCH",
        w.team,
        { members: [{ id: (await w.person()).id, role: "editor" }], approverGroups: [{ name: "new", approvers: [(await w.person()).id] }] },
      ],
      "mark a favourite": async (w) => ["PUT", `${await w.workflow()}/favourite`, undefined, (await w.person()).as],
      "vote as the user": async (w) => ["PUT", `${w.team}/action`, [{ id: await w.action(), approved: true }], (await w.person()).as],
      "comment an action as the user": async (w) => [
        "POST",
        `${w.team}/action/${await w.action()}/comment`,
        { comments: "why" },
        (await w.person()).as,
      ],
      "edit as the user": async (w) => ["PUT", `${await w.workflow()}/editing`, { session: "k3vYx0Qa" }, (await w.person()).as],
      "change the user": async (w) => ["PATCH", `/api/v2/user/${(await w.person()).id}`, { displayName: "Ada" }],
      "change the own profile": async (w) => ["PATCH", "/api/v2/profile", { displayName: "Ada" }, (await w.person()).as],
      "make a password code": async (w) => ["POST", `/api/v2/user/${(await w.person()).id}/password-code`],
      "create a token of the user": async (w) => [
        "POST",
        "/api/v2/token",
        { type: "user", name: "t", principal: (await w.person()).email },
      ],
      "create an own token": async (w) => ["POST", "/api/v2/token", { type: "user", name: "t" }, (await w.person()).as],
      "add the user to the team": async (w) => ["PATCH", w.team, { members: [{ id: (await w.person()).id, role: "reader" }] }],
      "add the user by address": async (w) => ["PATCH", w.team, { members: [{ email: (await w.person()).email, role: "reader" }] }],
      "create a team with the user": async (w) => [
        "POST",
        "/api/v2/team",
        { name: `n-${w.name}`, displayName: "New", members: [{ email: (await w.person()).email, role: "owner" }] },
      ],
      "create a team as the user": async (w) => [
        "POST",
        "/api/v2/team",
        { name: `n-${w.name}`, displayName: "New" },
        (await w.person()).as,
      ],
      "create a view of the user": async (w) => ["POST", `${w.team}/workflowrun/view`, { ...view, scope: "own" }, (await w.person()).as],
      "choose a default view": async (w) => ["PUT", `${await w.view()}/default`, undefined, (await w.person()).as],
      "comment as the user": async (w) => ["POST", `${await w.run()}/comment`, { text: "down" }, (await w.person()).as],
      "acknowledge as the user": async (w) => ["PUT", `${await w.endedRun()}/acknowledgement`, { text: "looking" }, (await w.person()).as],
      "submit as the user": async (w) => ["POST", `${await w.workflow()}/submit`, {}, (await w.person()).as],
      "bulk as the user": async (w) =>
        after(w.run(), ["POST", `${w.team}/workflowrun/bulk`, { action: "cancel", filter: {}, expected: 1 }, (await w.person()).as]),
      "approve a device": async (w) => {
        const { userCode } = await w.must("POST", "/api/v2/auth/device", { hostName: "laptop" });
        return ["POST", "/api/v2/auth/device/decision", { userCode, decision: "approve" }, (await w.person()).as];
      },
      "invite as the user": async (w) => [
        "POST",
        `${w.team}/invitation`,
        { email: `n-${w.name}@example.com`, role: "editor" },
        (await w.person()).as,
      ],
      "invite the user": async (w) => ["POST", `${w.team}/invitation`, { email: (await w.person()).email, role: "editor" }],
      "subscribe for them": async (w) => [
        "POST",
        `${w.team}/subscription`,
        { ...subscription("mine"), channel: "email", target: { to: [(await w.person()).email] } },
      ],
      "delete it too": async (w) => ["DELETE", `/api/v2/user/${(await w.person()).id}`],
    },
  },
  "an approver group": {
    remove: async (w) => ["DELETE", `${w.team}/approvers`, [await w.group()]],
    uses: {
      ...pick({ ...ofWorkflow, ...ofTeam }, "protect a workflow", "protect a team", "protect a secret"),
      "change the group": async (w) => ["PATCH", w.team, { approverGroups: [{ name: await w.group(), approvers: [] }] }],
      "ask the group": async (w) => [
        "POST",
        `${w.team}/workflow`,
        { name: "asks", tasks: [{ ...approval, params: [{ name: "approverGroup", value: await w.group() }] }] },
      ],
      "delete it too": async (w) => ["DELETE", `${w.team}/approvers`, [await w.group()]],
    },
  },
  "a parameter": {
    remove: async (w) => ["DELETE", await w.secret()],
    uses: {
      ...pick(ofTeam, "protect a secret"),
      "change the parameter": async (w) => after(w.secret(), ["PATCH", w.team, { parameters: [{ ...password, label: "Key" }] }]),
      "use the parameter": async (w) => after(w.secret(), ["POST", `${await w.workflow()}/submit`, {}]),
      "delete it too": async (w) => ["DELETE", await w.secret()],
    },
  },
  "a global parameter": {
    remove: async (w) => ["DELETE", await w.instanceSecret()],
    uses: {
      "change the parameter": async (w) =>
        after(w.instanceSecret(), ["PUT", "/api/v2/parameters", { ...password, name: `p-${w.name}`, label: "Key" }]),
      "protect the parameter": async (w) => after(w.group(), ["PUT", `${await w.instanceSecret()}/protection`, { approverGroup: "leads" }]),
      "delete it too": async (w) => ["DELETE", await w.instanceSecret()],
    },
  },
  "a protection": {
    remove: async (w) => {
      await w.must(...(await ofWorkflow["protect a workflow"]!(w)));
      return ["DELETE", `${await w.workflow()}/protection`];
    },
    uses: {
      ...pick(ofWorkflow, "save a workflow", "replace a workflow", "protect a workflow"),
      "delete it too": async (w) => ["DELETE", `${await w.workflow()}/protection`],
    },
  },
  "a view": {
    remove: async (w) => ["DELETE", await w.view()],
    uses: {
      "change the view": async (w) => ["PUT", await w.view(), { ...view, name: "Other" }],
      "choose a default view": async (w) => ["PUT", `${await w.view()}/default`, undefined, (await w.member()).as],
      "delete it too": async (w) => ["DELETE", await w.view()],
    },
  },
  "a favourite": reversible(
    async (w) => ["PUT", `${await w.workflow()}/favourite`, undefined, (await w.member()).as],
    async (w) => ["DELETE", `${await w.workflow()}/favourite`, undefined, (await w.member()).as],
  ),
  "a place in the archive": reversible(
    async (w) => ["PUT", `${await w.workflow()}/archive`],
    async (w) => ["DELETE", `${await w.workflow()}/archive`],
  ),
  "a webhook secret": reversible(
    async (w) => ["PUT", `${await w.workflow()}/webhook-secret`],
    async (w) => ["DELETE", `${await w.workflow()}/webhook-secret`],
  ),
  "an acknowledgement": reversible(ofRun["acknowledge a run"]!, async (w) => ["DELETE", `${await w.endedRun()}/acknowledgement`]),
  "the protection of a team": reversible(ofTeam["protect a team"]!, async (w) => ["DELETE", `${w.team}/protection`]),
  "the protection of a secret": reversible(ofTeam["protect a secret"]!, async (w) => ["DELETE", `${await w.secret()}/protection`]),
  "a default view": reversible(
    async (w) => ["PUT", `${await w.view()}/default`, undefined, (await w.member()).as],
    async (w) => ["DELETE", `${await w.view()}/default`, undefined, (await w.member()).as],
  ),
  "a comment": {
    remove: async (w) => ["DELETE", await w.comment()],
    uses: pick(ofRun, "delete a comment"),
  },
  "an invitation": {
    remove: async (w) => ["DELETE", (await w.invitation()).path],
    uses: {
      ...pick(ofTeam, "renew an invitation", "accept an invitation"),
      "delete it too": async (w) => ["DELETE", (await w.invitation()).path],
    },
  },
  "a test": {
    remove: async (w) => ["DELETE", await w.test()],
    uses: {
      ...pick(ofWorkflow, "run the tests", "save a test"),
      "delete it too": async (w) => ["DELETE", await w.test()],
    },
  },
  "a token": {
    remove: async (w) => ["DELETE", `/api/v2/token/${(await w.token()).id}`],
    uses: {
      "use the token": async (w) => after(w.workflow(), ["GET", `${w.team}/workflow/flow`, undefined, w.app.as((await w.token()).token)]),
      "delete it too": async (w) => ["DELETE", `/api/v2/token/${(await w.token()).id}`],
    },
  },
  "a template": {
    remove: async (w) => ["DELETE", await w.template()],
    uses: {
      "save the template": async (w) =>
        after(w.template(), ["PUT", "/api/v2/workflowtemplate", { ...flow("changed"), name: `t-${w.name}` }]),
      "delete it too": async (w) => ["DELETE", await w.template()],
    },
  },
  "a subscription": subscriptionAt((w) => w.team),
  "a subscription of the instance": subscriptionAt(() => "/api/v2"),
};

async function delegation(w: RaceWorld): Promise<RaceRequest> {
  const { as } = { as: w.app.as((await w.app.make.member(w.team.split("/").at(-1)!, "owner")).token) };
  return ["POST", `${w.team}/action/${await w.action()}/delegate`, { user: (await w.member()).email }, as];
}

function pick(uses: Record<string, Make>, ...names: string[]): Record<string, Make> {
  return Object.fromEntries(names.map((name) => [name, uses[name]!]));
}

/** What is set and unset: it is set before, and both requests come again at once. */
function reversible(set: Make, unset: Make): Removal {
  return {
    async remove(world) {
      await world.must(...(await set(world)));
      return unset(world);
    },
    uses: { "set it again": set, "unset it too": unset },
  };
}

/** What may be done with a run that is over, while its history is removed. */
export const usesOfEndedRun: Record<string, Make> = {
  ...pick(ofRun, "acknowledge a run", "retry a run", "rerun a run", "make a test of a run"),
  "comment on it": async (w) => ["POST", `${await w.endedRun()}/comment`, { text: "down" }],
  "label it": async (w) => ["PATCH", await w.endedRun(), { labels: { stage: "test" } }],
};
