import type { TeamRole } from "@millrace/contract/identity/user.ts";
import type { DocumentNode } from "../../src/core/workflow/plan.ts";
import type { Claim } from "../../src/store/worker/workers.ts";
import { type TestApp, type TestAppOptions, type TestClient, testApp } from "./app.ts";
import { type EngineKit, engineKit, type TestQuotas } from "./engine-kit.ts";

/** A team with the API of its members, and the paths below it. */
export interface TestTeam {
  id: string;
  path: string;
  /** A new member with that role. */
  member(role: TeamRole): Promise<TestClient & { userId: string; email: string }>;
  workflow(name: string, nodes: DocumentNode[], more?: Record<string, unknown>): Promise<string>;
  /** Submits as the administrator; answers the run. */
  submit(workflow: string, body?: unknown, query?: string): Promise<{ id: string; status: string; [member: string]: unknown }>;
  run(id: string): Promise<Run>;
  claim(workerId: string): Promise<Claim>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape
type Run = any;

export interface RunKit {
  app: TestApp;
  kit: EngineKit;
  team(quotas?: TestQuotas): Promise<TestTeam>;
  /** The API for a user who is only in another team. */
  outsider(): Promise<TestClient>;
}

/** The real app and an engine that is driven manually, on the same runs. */
export async function runKit(options?: TestAppOptions): Promise<RunKit> {
  const app = await testApp(options);
  const kit = engineKit(app.sql, app);
  const team = async (quotas?: TestQuotas): Promise<TestTeam> => {
    const id = await kit.team(quotas);
    const path = `/api/v2/team/${id}`;
    return {
      id,
      path,
      async member(role) {
        const { id: userId, email, token } = await app.make.member(id, role);
        return { ...app.as(token), userId, email };
      },
      workflow: (name, nodes, more) => kit.workflow(id, name, nodes, more),
      async submit(workflow, body = {}, query = "?start=true") {
        const answer = await app.as().post(`${path}/workflow/${workflow}/submit${query}`, body);
        if (answer.status !== 200) throw new Error(`submit answered ${answer.status}: ${answer.text}`);
        return answer.body;
      },
      claim: (workerId) => kit.claim(workerId, id),
      run: async (runId) => (await app.as().get(`${path}/workflowrun/${runId}`)).body,
    };
  };
  return { app, kit, team, outsider: async () => app.as((await app.make.member((await app.make.team()).id, "owner")).token) };
}

/** The task run of that name. */
export function taskOf(run: Run, name: string): Run {
  const found = run.tasks.find((task: { name: string }) => task.name === name);
  if (!found) throw new Error(`the run has no task run ${name}`);
  return found;
}

/** Parameters by name, as a node has them. */
export function params(values: Record<string, unknown>): { params: { name: string; value: unknown }[] } {
  return { params: Object.entries(values).map(([name, value]) => ({ name, value })) };
}
