import type { QueryClient } from "@tanstack/react-query";

/**
 * The stream of a team's changes (`GET /api/v2/team/{team}/changes`). Its events are hints that name what changed; what is shown of it is asked
 * for again. The browser connects again by itself and is told then to ask for everything; where it can't connect, everything is asked for every
 * five seconds instead. Only the tab that is looked at holds a stream: browsers open few connections to one host.
 */

/** The kinds of the service's events, and the first words of the query keys that they make old. */
const words: Readonly<Record<string, readonly string[]>> = {
  workflowrun: ["runs", "run", "run-counts", "insights", "task-runs", "task-run", "actions", "action", "action-summary", "firings"],
  action: ["actions", "action", "action-summary", "run", "task-runs", "task-run"],
  schedule: ["schedules", "schedule", "calendar", "firings"],
  workflow: ["workflows", "workflow", "schedules"],
  task: ["tasks", "task"],
  team: ["team", "teams", "tokens", "parameters", "subscriptions", "audit"],
};

const pollMs = 5_000;
/** Changes that come together are asked for together. */
const gatherMs = 250;

/** Until the function that it answers is called. Query keys of a team begin `[word, team, …]`, those of one thing `[word, team, id, …]`. */
export function watchChanges(client: QueryClient, team: string): () => void {
  const refresher = createRefresher(client, team);
  let stream = document.hidden ? undefined : openStream(team, refresher);
  const followTab = () => {
    stream?.close();
    stream = document.hidden ? undefined : openStream(team, refresher);
    if (!document.hidden) refresher.everything();
  };
  document.addEventListener("visibilitychange", followTab);
  return () => {
    document.removeEventListener("visibilitychange", followTab);
    stream?.close();
    refresher.stop();
  };
}

interface Refresher {
  note(kind: string): void;
  everything(): void;
  stop(): void;
}

function createRefresher(client: QueryClient, team: string): Refresher {
  const stale = new Set<string>();
  let gathering: ReturnType<typeof setTimeout> | undefined;
  const refresh = () => {
    gathering = undefined;
    const old = [...stale];
    stale.clear();
    for (const word of old) {
      // A question that is under way would be given up for the new one: with many changes no answer would ever come.
      if (client.isFetching({ queryKey: [word, team] }) > 0) noteWord(word);
      else void client.invalidateQueries({ queryKey: [word, team] });
    }
  };
  const noteWord = (word: string) => {
    stale.add(word);
    gathering ??= setTimeout(refresh, gatherMs);
  };
  const note = (kind: string) => (words[kind] ?? []).forEach(noteWord);
  return { note, everything: () => Object.keys(words).forEach(note), stop: () => clearTimeout(gathering) };
}

function openStream(team: string, { note, everything }: Refresher): { close(): void } {
  let polling: ReturnType<typeof setInterval> | undefined;
  const stopPolling = () => {
    clearInterval(polling);
    polling = undefined;
  };
  const source = new EventSource(`/api/v2/team/${encodeURIComponent(team)}/changes`);
  source.addEventListener("change", (event) => note((JSON.parse((event as MessageEvent<string>).data) as { kind: string }).kind));
  source.addEventListener("reset", everything);
  source.addEventListener("open", stopPolling);
  source.addEventListener("error", () => {
    polling ??= setInterval(everything, pollMs);
  });
  return {
    close: () => {
      source.close();
      stopPolling();
    },
  };
}
