import { callerQuery, teamQuery } from "../../api/queries/identity/session.ts";
import type { Run } from "../../api/queries/run/runs.ts";
import type { TaskRun } from "../../api/queries/task/task-catalog.ts";
import { service } from "../../ui/answer-requests.ts";
import { showPages } from "../../ui/show-component.tsx";
import { RunPage } from "./run-page.tsx";

const editor = ["workflowrun/read", "workflowrun/action", "workflow/action", "action/action"];

/** Tasks by their names: each has its name as its ID. */
export function task(name: string, type: TaskRun["type"], status: TaskRun["status"], more: Partial<TaskRun> = {}): TaskRun {
  return { id: name, name, type, status, workflowRef: "w1", params: [], results: [], workspaces: [], warnings: [], ...more } as TaskRun;
}

/**
 * For tests of the page of a run, `r1`, that a service keeps; `become` is what the stream of changes would say. Clear `service.byEnd` after
 * each test.
 * @param run in addition to one that succeeded
 */
export async function showRun(tasks: TaskRun[], run: Partial<Run> = {}, { permissions = editor, search = "" } = {}) {
  const at = "2026-03-01T12:00:00Z";
  const kept = {
    ...{ id: "r1", workflowRef: "w1", workflowName: "build", workflowVersion: 1, trigger: "manual", warningCount: 0, labels: {} },
    ...{ params: [], results: [], workspaces: [], retries: 0, creationDate: at, startTime: at, duration: 2_000 },
    ...{ status: "succeeded", phase: "completed" },
    ...run,
    tasks,
  };
  const answer = (body: object) => () => ({ status: 200, body });
  const nodes = tasks.map(({ name, type }) => ({ name, type, dependencies: [] }));
  const first: [string, Parameters<typeof service.byEnd.set>[1]][] = [
    ["/workflowrun/r1", () => ({ status: 200, body: kept })],
    ["/workflow/w1", answer({ name: "build", version: 1, params: [], tasks: nodes })],
    ["/workflowrun/query", answer({ content: [], totalElements: 0 })],
    ["/followups", answer({ content: [], last: true })],
  ];
  for (const [end, given] of first) if (!service.byEnd.has(end)) service.byEnd.set(end, given);
  const shown = await showPages(
    { "/$team/activity/$run": RunPage },
    [
      [callerQuery.queryKey, { id: "user:1", userId: "1", kind: "session", permissions, teams: [] }],
      [teamQuery("owls").queryKey, { name: "owls", displayName: "Owls", quotas: {}, approverGroups: [], labels: {} }],
    ],
    `/owls/activity/r1${search}`,
  );
  return { ...shown, become: (more: Partial<Run>) => Object.assign(kept, more) };
}
