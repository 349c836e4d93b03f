import type { QueryClient } from "@tanstack/react-query";

/**
 * The stream of a team's changes (`GET /api/v2/team/{team}/changes`). Its events are hints that name what changed; what is shown of it is asked
 * for again. The browser connects again by itself and tells the last event it has seen; where it can't connect, everything is asked for every
 * five seconds instead.
 */

/** What an event tells: the kind is the first word of the query keys that it makes old. */
interface Change {
  kind: "run" | "taskrun" | "action" | "schedule" | "workflow" | "task" | "team";
  id?: string;
  /** Of a task run or an action. */
  run?: string;
}

const keysOf: Readonly<Record<Change["kind"], readonly string[]>> = {
  run: ["runs", "run", "run-counts", "insights", "workflow-runs"],
  taskrun: ["task-runs", "task-run", "run"],
  action: ["actions", "action", "action-summary", "run"],
  schedule: ["schedules", "schedule", "calendar", "firings"],
  workflow: ["workflows", "workflow"],
  task: ["tasks", "task"],
  team: ["team", "teams"],
};

const pollMs = 5_000;
/** Changes that come together are asked for together. */
const gatherMs = 250;

/** Until the function that it answers is called. Query keys of a team begin `[word, team, …]`, those of one thing `[word, team, id, …]`. */
export function watchChanges(client: QueryClient, team: string): () => void {
  const stale = new Set<string>();
  let gathering: ReturnType<typeof setTimeout> | undefined;
  let polling: ReturnType<typeof setInterval> | undefined;
  const refresh = () => {
    gathering = undefined;
    const words = [...stale];
    stale.clear();
    for (const word of words) {
      // A question that is under way would be given up for the new one: with many changes no answer would ever come.
      if (client.isFetching({ queryKey: [word, team] }) > 0) note([word]);
      else void client.invalidateQueries({ queryKey: [word, team] });
    }
  };
  const note = (words: readonly string[]) => {
    for (const word of words) stale.add(word);
    gathering ??= setTimeout(refresh, gatherMs);
  };
  const everything = () => note(Object.values(keysOf).flat());
  const source = new EventSource(`/api/v2/team/${encodeURIComponent(team)}/changes`);
  source.addEventListener("change", (event) => note(keysOf[(JSON.parse(event.data) as Change).kind] ?? []));
  source.addEventListener("reset", everything);
  source.addEventListener("open", () => {
    clearInterval(polling);
    polling = undefined;
  });
  source.addEventListener("error", () => {
    polling ??= setInterval(everything, pollMs);
  });
  return () => {
    source.close();
    clearTimeout(gathering);
    clearInterval(polling);
  };
}
