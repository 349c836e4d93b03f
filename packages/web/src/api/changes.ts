import type { QueryClient } from "@tanstack/react-query";
import { recheckConnection } from "./connection.ts";

/**
 * The streams of changes: of one team (`GET /api/v2/team/{team}/changes`), or of all that the caller may read and of the instance
 * (`GET /api/v2/changes`). Their events are hints that name what changed; what is shown of it is asked for again. The browser
 * connects again by itself and is told then to ask for everything; where it can't connect, everything is asked for every five
 * seconds instead. Only the visible tab holds a stream: browsers open few connections to one host.
 */
interface Watched {
  path: string;
  /** For each kind of event, the first words of the query keys to invalidate; `WORD/MORE` has more of the key. */
  words: Readonly<Record<string, readonly string[]>>;
  /** What follows the word in those keys; empty: all keys with that word. */
  place: readonly string[];
  /** Changes within this time lead to a single request. */
  gatherMs: number;
}

const wordsOfTeam = {
  workflowrun: [
    "runs",
    "run",
    "run-counts",
    "insights",
    "task-runs",
    "task-run",
    "actions",
    "action",
    "action-summary",
    "firings",
    "workflows/list",
    "workflow-overview",
  ],
  action: ["open-count", "workflow-overview", "actions", "action", "action-summary", "run", "task-runs", "task-run"],
  schedule: ["workflow-overview", "schedules", "schedule", "calendar", "firings"],
  workflow: ["workflows", "workflow", "workflow-overview", "schedules"],
  editing: ["editing"],
  task: ["tasks", "task"],
  team: ["team", "teams", "tokens", "parameters", "audit"],
  subscription: ["subscriptions", "deliveries", "audit"],
  delivery: ["deliveries"],
} as const;

/**
 * Lists that span several teams, and those of the instance. A document that someone may be editing isn't reloaded; it is compared when it
 * is saved.
 */
const wordsEverywhere = {
  workflowrun: ["overview", "workers"],
  action: ["overview"],
  workflow: ["overview"],
  team: ["overview", "teams"],
  task: ["tasks"],
  workflowtemplate: ["templates", "workflow-templates"],
  user: ["users"],
  parameter: ["global-parameters"],
  token: ["tokens"],
  subscription: ["subscriptions", "deliveries"],
  delivery: ["deliveries"],
  worker: ["workers"],
  /** They have no event of their own: a changed permission leads to a reset. */
  rights: ["caller", "navigation"],
} as const;

type WordsOf<Kinds> = Kinds[keyof Kinds] extends readonly (infer Word)[] ? Word : never;

/** The first words of the query keys that a change invalidates. */
export type ChangedWord = Exclude<WordsOf<typeof wordsOfTeam> | WordsOf<typeof wordsEverywhere>, `${string}/${string}`>;

const pollMs = 5_000;
/** Answers that cost the service much work: after one of them comes a rest, however much happens meanwhile. */
const heavyWords = new Set(["insights", "workflows/list", "workflow-overview"]);
const restMs = 2_000;

/**
 * Runs until the returned function is called. Query keys of a team begin with `[word, team, …]`, those of one object with `[word, team, id,
 * …]`.
 * @param team undefined: all teams and the instance
 */
export function watchChanges(client: QueryClient, team: string | undefined): () => void {
  const watched = team === undefined ? everywhere : ofTeam(team);
  const refresher = createRefresher(client, watched);
  let stream = document.hidden ? undefined : openStream(watched, refresher);
  const followTab = () => {
    stream?.close();
    stream = document.hidden ? undefined : openStream(watched, refresher);
    if (!document.hidden) refresher.everything();
  };
  document.addEventListener("visibilitychange", followTab);
  return () => {
    document.removeEventListener("visibilitychange", followTab);
    stream?.close();
    refresher.stop();
  };
}

const everywhere: Watched = { path: "/api/v2/changes", words: wordsEverywhere, place: [], gatherMs: 500 };
const ofTeam = (team: string): Watched => ({
  path: `/api/v2/team/${encodeURIComponent(team)}/changes`,
  words: wordsOfTeam,
  place: [team],
  gatherMs: 250,
});

interface Refresher {
  note(kind: string): void;
  everything(): void;
  stop(): void;
}

function createRefresher(client: QueryClient, { words, place, gatherMs }: Watched): Refresher {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const restUntil = new Map<string, number>();
  const refresh = (word: string) => {
    timers.delete(word);
    const [first, ...rest] = word.split("/");
    const queryKey = [first, ...place, ...rest];
    // Invalidating would cancel a request in progress: with many changes no response would ever arrive.
    if (client.isFetching({ queryKey }) > 0) return noteWord(word);
    if (heavyWords.has(word)) restUntil.set(word, Date.now() + restMs);
    void client.invalidateQueries({ queryKey });
  };
  const noteWord = (word: string) => {
    if (timers.has(word)) return;
    const pause = Math.max(gatherMs, (restUntil.get(word) ?? 0) - Date.now());
    timers.set(
      word,
      setTimeout(() => refresh(word), pause),
    );
  };
  const note = (kind: string) => (words[kind] ?? []).forEach(noteWord);
  return { note, everything: () => Object.keys(words).forEach(note), stop: () => timers.forEach(clearTimeout) };
}

function openStream({ path }: Watched, { note, everything }: Refresher): { close(): void } {
  let polling: ReturnType<typeof setInterval> | undefined;
  const stopPolling = () => {
    clearInterval(polling);
    polling = undefined;
  };
  const source = new EventSource(path);
  source.addEventListener("change", (event) => note((JSON.parse((event as MessageEvent<string>).data) as { kind: string }).kind));
  source.addEventListener("reset", everything);
  source.addEventListener("open", stopPolling);
  source.addEventListener("error", () => {
    recheckConnection();
    polling ??= setInterval(everything, pollMs);
  });
  return {
    close: () => {
      source.close();
      stopPolling();
    },
  };
}

/**
 * The labels or annotations to send so that they end up as the user wrote them. A write is merged into the stored object, so deleted ones
 * are set to null, which removes them. Those that someone else added in the meantime are kept.
 * @param before the state when editing began
 */
export function memberChanges(
  before: Readonly<Record<string, unknown>> | null | undefined,
  after: Readonly<Record<string, unknown>> | null | undefined,
): Record<string, unknown> {
  const gone = Object.keys(before ?? {}).filter((key) => !Object.hasOwn(after ?? {}, key));
  return { ...after, ...Object.fromEntries(gone.map((key) => [key, null])) };
}
