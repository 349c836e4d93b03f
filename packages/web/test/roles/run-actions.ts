import { expect } from "vitest";
import { type Action, editors, everybody, owners, type Scene } from "./action.ts";

const actOnRuns = { permission: "workflowrun/action", in: "team" } as const;
const vote = { permission: "action/action", in: "team" } as const;
const writeSchedules = { permission: "schedule/write", in: "team" } as const;

const waiting = ({ waitingRun, name }: Scene) => waitingRun(name);
const runOf = ({ call, api }: Scene, id: string) => call<{ status: string }>("GET", `${api}/workflowrun/${id}`);
const cancelRequest = ({ api, id }: Scene) => ["DELETE", `${api}/workflowrun/${id}/cancel`] as const;
const openedRun = ({ page }: Scene) => page.url().split("/").at(-1) as string;

const actionOf = async ({ ask, api, name }: Scene) =>
  (await ask<{ content: { id: string }[] }>("GET", `${api}/action/query?workflows=${name}`)).content[0]?.id as string;
/** A run that waits for a vote: the action, not the run. */
const openAction = async (scene: Scene) => {
  await scene.waitingRun(scene.name);
  return actionOf(scene);
};
const isApproved = async ({ call, api, id, people, role }: Scene) =>
  expect(await call("GET", `${api}/action/${id}`)).toMatchObject({ status: "approved", actioners: [{ approverId: people[role].id }] });
const voteRequest = ({ api, id }: Scene) => ["PUT", `${api}/action`, [{ id, approved: true }]] as const;

const schedule = async ({ workflow, ask, api, name }: Scene) => {
  await workflow(name, { triggers: { schedule: { enabled: true } } });
  const body = { name, workflowRef: name, cronSchedule: "0 3 * * *", timezone: "UTC" };
  return (await ask<{ id: string }>("POST", `${api}/schedule`, body)).id;
};

/** Runs, actions that wait for people, and schedules. */
export const runActions: readonly Action[] = [
  {
    screen: "/$team/activity",
    action: "cancel a run",
    may: editors,
    needs: actOnRuns,
    given: waiting,
    at: ({ team, name }) => `/${team.name}/activity?workflows=["${name}"]`,
    button: ({ page }) => page.getByRole("button", { name: "Cancel", exact: true }),
    async does({ page, name }) {
      await page.getByRole("row", { name }).getByRole("checkbox").check();
      await page.getByRole("button", { name: "Cancel", exact: true }).click();
      await page.getByRole("button", { name: "Cancel 1 run" }).click();
      await page.getByText("1 done").waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
      await page.getByRole("row", { name: /Cancelled/ }).waitFor();
    },
    done: async (scene) => expect(await runOf(scene, scene.id)).toMatchObject({ status: "cancelled" }),
    request: cancelRequest,
  },
  {
    screen: "/$team/activity",
    action: "cancel all runs that match",
    may: editors,
    needs: actOnRuns,
    given: waiting,
    at: ({ team, name }) => `/${team.name}/activity?workflows=["${name}"]`,
    button: ({ page }) => page.getByRole("button", { name: "Cancel", exact: true }),
    async does({ page }) {
      await page.getByRole("button", { name: /^Select all .* that match$/ }).click();
      await page.getByRole("button", { name: "Cancel", exact: true }).click();
      await page.getByRole("button", { name: "Cancel 1 run" }).click();
      await page.getByText("1 done, 0 failed, 0 left").waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
    },
    done: async (scene) => expect(await runOf(scene, scene.id)).toMatchObject({ status: "cancelled" }),
    request: ({ api, id }) => ["POST", `${api}/workflowrun/bulk`, { action: "cancel", filter: { workflowruns: [id] } }] as const,
  },
  {
    screen: "/$team/activity/$run",
    action: "say who looks after a failure",
    may: editors,
    needs: actOnRuns,
    async given(scene) {
      const id = await waiting(scene);
      await scene.ask("DELETE", `${scene.api}/workflowrun/${id}/cancel`);
      return id;
    },
    at: ({ team, id }) => `/${team.name}/activity/${id}`,
    button: ({ page }) => page.getByRole("button", { name: "Acknowledge" }),
    async does({ page }) {
      await page.getByRole("button", { name: "Acknowledge" }).click();
      await page.getByRole("button", { name: "Release", exact: true }).waitFor();
    },
    done: async (scene) => expect(await runOf(scene, scene.id)).toHaveProperty("acknowledgement"),
    request: ({ api, id }) => ["PUT", `${api}/workflowrun/${id}/acknowledgement`, {}] as const,
  },
  {
    screen: "/$team/activity/$run",
    action: "cancel it, and run it again",
    may: editors,
    needs: actOnRuns,
    given: waiting,
    at: ({ team, id }) => `/${team.name}/activity/${id}`,
    button: ({ page }) => page.getByRole("button", { name: "Cancel", exact: true }),
    async does({ page, id }) {
      await page.getByRole("button", { name: "Cancel", exact: true }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel run" }).click();
      await page.getByRole("button", { name: "Run again" }).click();
      await page.waitForURL((url) => url.pathname.includes("/activity/") && !url.pathname.endsWith(id));
      await page
        .locator("main header")
        .getByText(/^Waiting for a/)
        .waitFor();
    },
    async done(scene) {
      expect(await runOf(scene, scene.id)).toMatchObject({ status: "cancelled" });
      expect(await runOf(scene, openedRun(scene))).toMatchObject({ initiatedByRef: scene.people[scene.role].id });
    },
    request: cancelRequest,
  },
  {
    screen: "/$team/activity/$run",
    action: "decide where it waits",
    may: editors,
    needs: vote,
    given: waiting,
    at: ({ team, id }) => `/${team.name}/activity/${id}`,
    before: ({ page }) =>
      page
        .getByRole("button", { name: /decide/ })
        .first()
        .click(),
    button: ({ page }) => page.getByRole("region", { name: "Task decide" }).getByRole("button", { name: "Approve", exact: true }),
    async does({ page }) {
      await page.getByRole("region", { name: "Task decide" }).getByRole("button", { name: "Approve", exact: true }).click();
      await page.locator("main header").getByText("Succeeded", { exact: true }).waitFor();
    },
    done: async (scene) => expect(await runOf(scene, scene.id)).toMatchObject({ status: "succeeded" }),
    request: async (scene) => voteRequest({ ...scene, id: await actionOf(scene) }),
  },
  {
    screen: "/$team/actions",
    action: "approve what is selected",
    may: editors,
    needs: vote,
    given: openAction,
    at: ({ team, name }) => `/${team.name}/actions?workflow=${name}`,
    before: ({ page, name }) => page.getByLabel(`Select decide of ${name}`).check(),
    button: ({ page }) => page.getByRole("button", { name: "Approve selected" }),
    async does({ page, name }) {
      await page.getByRole("button", { name: "Approve selected" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Approve", exact: true }).click();
      await page.getByText("1 done").waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
      await page.getByRole("row", { name }).waitFor({ state: "detached" });
    },
    done: isApproved,
    request: voteRequest,
  },
  {
    screen: "/$team/actions/$action",
    action: "ask a question",
    may: editors,
    needs: vote,
    given: openAction,
    at: ({ team, id }) => `/${team.name}/actions/${id}`,
    button: ({ page }) => page.getByRole("button", { name: "Ask a question" }),
    async does({ page }) {
      await page.getByRole("button", { name: "Ask a question" }).click();
      await page.getByRole("dialog").getByLabel("Comment").fill("Which region?");
      await page.getByRole("dialog").getByRole("button", { name: "Send comment" }).click();
      await page.getByRole("region", { name: "History" }).getByText("Which region?").waitFor();
    },
    done: async ({ call, api, id }) =>
      expect(await call("GET", `${api}/action/${id}`)).toMatchObject({
        history: [{ kind: "opened" }, { kind: "comment", comments: "Which region?" }],
      }),
    request: ({ api, id }) => ["POST", `${api}/action/${id}/comment`, { comments: "Which region?" }],
  },
  {
    screen: "/$team/actions/$action",
    action: "approve it",
    may: editors,
    needs: vote,
    given: openAction,
    at: ({ team, id }) => `/${team.name}/actions/${id}`,
    button: ({ page }) => page.getByRole("button", { name: "Approve", exact: true }),
    async does({ page }) {
      await page.getByRole("button", { name: "Approve", exact: true }).click();
      await page.locator("main header").getByText("Approved").first().waitFor();
    },
    done: isApproved,
    request: voteRequest,
  },
  {
    screen: "/$team/schedules",
    action: "create a schedule",
    may: editors,
    needs: writeSchedules,
    given: ({ workflow, name }) => workflow(name, { triggers: { schedule: { enabled: true } } }),
    at: ({ team }) => `/${team.name}/schedules`,
    button: ({ page }) => page.getByRole("main").getByRole("button", { name: "Create schedule" }),
    async does({ page, name }) {
      await page.getByRole("main").getByRole("button", { name: "Create schedule" }).click();
      const form = page.getByRole("dialog", { name: "Create schedule" });
      await form.getByRole("combobox", { name: "Workflow" }).fill(name);
      await page.getByRole("option", { name }).click();
      await form.getByLabel("Name").fill(name);
      await form.getByLabel("Cron expression").fill("15 8 * * *");
      await form.getByRole("button", { name: "Create schedule" }).click();
      await page.getByRole("dialog", { name }).getByRole("group", { name: "Upcoming runs" }).waitFor();
    },
    async done({ call, api, name }) {
      const { content } = await call<{ content: { name: string }[] }>("GET", `${api}/schedule/query?workflows=${name}`);
      expect(content).toMatchObject([{ name, cronSchedule: "15 8 * * *" }]);
    },
    request: ({ api, name }) => ["POST", `${api}/schedule`, { name, workflowRef: name, cronSchedule: "0 3 * * *", timezone: "UTC" }],
  },
  {
    screen: "/$team/schedules",
    action: "run a schedule now",
    may: editors,
    needs: { permission: "schedule/action", in: "team" },
    given: schedule,
    at: ({ team, id }) => `/${team.name}/schedules?schedule=${id}`,
    button: ({ page }) => page.getByRole("dialog").getByRole("button", { name: "Run now" }),
    async does({ page, team }) {
      await page.getByRole("dialog").getByRole("button", { name: "Run now" }).click();
      await page.waitForURL(`**/${team.name}/activity/*`);
    },
    done: async (scene) => expect(await runOf(scene, openedRun(scene))).toMatchObject({ trigger: "schedule" }),
    request: ({ api, id }) => ["POST", `${api}/schedule/${id}/submit`],
  },
  {
    screen: "/$team/schedules",
    action: "delete a schedule",
    may: owners,
    needs: { permission: "schedule/delete", in: "team" },
    given: schedule,
    at: ({ team, name }) => `/${team.name}/schedules?workflows=["${name}"]`,
    before: ({ page, name }) => page.getByRole("button", { name: `More actions for ${name}` }).click(),
    button: ({ page }) => page.getByRole("menuitem", { name: "Delete…" }),
    async does({ page }) {
      await page.getByRole("menuitem", { name: "Delete…" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete schedule" }).click();
      await page.getByRole("heading", { name: /^No (matching )?schedules/ }).waitFor();
    },
    done: ({ call, api, id }) => expect(call("GET", `${api}/schedule/${id}`)).rejects.toThrow("404"),
    request: ({ api, id }) => ["DELETE", `${api}/schedule/${id}`],
  },
  {
    screen: "/$team/insights",
    action: "read how the runs of a workflow did",
    may: everybody,
    needs: { permission: "insights/read", in: "team" },
    given: async ({ workflow, ask, api, name }) => {
      await workflow(name);
      await ask("POST", `${api}/workflow/${name}/submit?start=true`, {});
    },
    at: ({ team, name }) => `/${team.name}/insights?workflows=["${name}"]`,
    does: ({ page }) => page.getByRole("region", { name: "Runs per day" }).waitFor(),
    done: async ({ call, api, name }) => expect(await call("GET", `${api}/insights?workflows=${name}`)).toMatchObject({ totalRuns: 1 }),
  },
];
