import type { Site } from "./site.ts";

/** Workflows that end, or wait for people, without a process, so that the data for tests of lists and inboxes exists immediately. */

const node = (name: string, type: string, taskRef: string, from: string, values: Record<string, unknown>) => ({
  name,
  type,
  taskRef,
  dependencies: [{ taskRef: from }],
  params: Object.entries(values).map(([key, value]) => ({ name: key, value })),
});

const start = { name: "start", type: "start" };

/** Asks once, with these settings, and ends when it is decided. */
export const asks = (name: string, values: Record<string, unknown> = {}, type: "approval" | "manual" = "approval") => ({
  name,
  displayName: `Release ${name}`,
  labels: { stage: "test" },
  params: [{ name: "version", type: "text", label: "Version", default: "1.4.0" }],
  tasks: [
    start,
    node("decide", type, type === "approval" ? "manual-approval" : "manual-task", "start", {
      instructions: "Look at the **notes** of $(params.version) first.",
      ...values,
    }),
  ],
});

/** Sets its own status and ends. */
export const ends = (name: string, status: "failed" | "succeeded") => ({
  name,
  displayName: `Import ${name}`,
  tasks: [start, node("say", "setwfstatus", "set-workflow-result-status", "start", { status })],
});

/** Saves the workflow and starts this many runs; returns their IDs. */
export async function startRuns(site: Site, token: string, team: string, workflow: { name: string }, count = 1): Promise<string[]> {
  const path = `/api/v2/team/${team}/workflow`;
  await site.call(token, "POST", path, workflow);
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const { id } = await site.call<{ id: string }>(token, "POST", `${path}/${workflow.name}/submit?start=true`, {});
    ids.push(id);
  }
  return ids;
}
