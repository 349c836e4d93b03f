import { randomName } from "../../../server/test/kit/factories.ts";
import { until } from "../../../server/test/kit/until.ts";
import type { Site } from "./site.ts";

/** A node of a workflow as it is written. */
export type TestNode = Record<string, unknown> & { name: string };

export interface TestRun {
  id: string;
  phase: string;
  status: string;
  tasks: { id: string; name: string; status: string }[];
}

/** Creates teams, workflows and runs over the API, for tests of pages that show runs. */
export function runSite(site: Site) {
  return {
    /** A team, its owner, and the path of its API. */
    async team() {
      const team = await site.make.team();
      const owner = await site.make.member(team.id, "owner");
      return { ...team, owner, api: `/api/v2/team/${team.name}` };
    },
    /** Saves a workflow and starts it. @param more members of the workflow */
    async start(token: string, team: { name: string }, tasks: TestNode[], more: { name?: string } & Record<string, unknown> = {}) {
      const name = more.name ?? randomName("flow");
      const { values = [], ...members } = more;
      await site.call(token, "POST", `/api/v2/team/${team.name}/workflow`, { ...members, name, tasks });
      const body = { trigger: "manual", params: values };
      const { id } = await site.call<{ id: string }>(token, "POST", `/api/v2/team/${team.name}/workflow/${name}/submit?start=true`, body);
      return { id, name, path: `/${team.name}/activity/${id}` };
    },
    run: (token: string, team: { name: string }, id: string) =>
      site.call<TestRun>(token, "GET", `/api/v2/team/${team.name}/workflowrun/${id}`),
    /** Waits until the run has ended, and returns it. */
    async over(token: string, team: { name: string }, id: string): Promise<TestRun> {
      await until(async () => (await this.run(token, team, id)).phase === "completed", "the run is over", 20_000);
      return this.run(token, team, id);
    },
  };
}

/** A task that runs a script. */
export function shell(name: string, script: string, more: Record<string, unknown> = {}): TestNode {
  return { name, type: "script", taskRef: "execute-shell", params: [{ name: "script", value: script }], ...more };
}

/** A task that waits for a vote. */
export function approval(name: string, params: Record<string, string> = {}, more: Record<string, unknown> = {}): TestNode {
  const given = Object.entries(params).map(([key, value]) => ({ name: key, value }));
  return { name, type: "approval", taskRef: "manual-approval", params: given, ...more };
}

export function after(...names: string[]) {
  return { dependencies: names.map((taskRef) => ({ taskRef, executionCondition: "success" })) };
}
