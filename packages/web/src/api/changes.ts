import type { QueryClient } from "@tanstack/react-query";
import { doubtConnection } from "./connection.ts";

/**
 * The streams of changes: of one team (`GET /api/v2/team/{team}/changes`), or of all that the caller may read and of the instance
 * (`GET /api/v2/changes`). Their events are hints that name what changed; what is shown of it is asked for again. The browser
 * connects again by itself and is told then to ask for everything; where it can't connect, everything is asked for every five
 * seconds instead. Only the visible tab holds a stream: browsers open few connections to one host.
 */
interface Watched {
  path: string;
  /** The kinds of the service's events, and the first words of the query keys that they make old; `WORD/MORE` has more of the key. */
  words: Readonly<Record<string, readonly string[]>>;
  /** What stands behind the word in those keys; nothing: all keys of the word are meant. */
  place: readonly string[];
  /** Changes that come together are asked for together. */
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

/** Lists that go over teams, and those of the instance. What someone may be writing there is compared when it is saved. */
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
  /** Told by no event of its own: another right shows as a reset. */
  rights: ["caller", "navigation"],
} as const;

type WordsOf<Kinds> = Kinds[keyof Kinds] extends readonly (infer Word)[] ? Word : never;

/** The first words of the query keys that a change makes old. */
export type ChangedWord = Exclude<WordsOf<typeof wordsOfTeam> | WordsOf<typeof wordsEverywhere>, `${string}/${string}`>;

const pollMs = 5_000;
/** Answers that cost the service much work: after one of them comes a rest, however much happens meanwhile. */
const heavyWords = new Set(["insights", "workflows/list", "workflow-overview"]);
const restMs = 2_000;

/**
 * Until the function that it answers is called. Query keys of a team begin `[word, team, …]`, those of one thing `[word, team, id, …]`.
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
    // A question that is under way would be given up for the new one: with many changes no answer would ever come.
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
    doubtConnection();
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
 * What to send of labels or annotations so that afterwards they are as the user wrote them: a write is laid over what is there, so
 * those that are gone are set to null, which removes them. What someone else has added meanwhile stays.
 * @param before as they were when writing began
 */
export function memberChanges(
  before: Readonly<Record<string, unknown>> | null | undefined,
  after: Readonly<Record<string, unknown>> | null | undefined,
): Record<string, unknown> {
  const gone = Object.keys(before ?? {}).filter((key) => !Object.hasOwn(after ?? {}, key));
  return { ...after, ...Object.fromEntries(gone.map((key) => [key, null])) };
}
