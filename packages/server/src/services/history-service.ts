import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Log } from "../base/process/log.ts";
import { Loop, type Service } from "../base/process/service.ts";
import { nothingRemoved, type Removed } from "../domain/history/removal.ts";
import { removeHistory } from "../domain/history/remove-history.ts";
import type { LiveSettings } from "../domain/settings/live-settings.ts";
import type { Database } from "../store/database/database.ts";
import { beginRemoval, noteRemoval } from "../store/history/history-removal.ts";

/** From the start of a removal to the start of the next one, over all processes. */
const everySeconds = 3600;
const pollMs = 60_000;
/** How often a long removal logs its progress. */
const progressMs = 30_000;
/** How soon it stops after the retention was extended. */
const settingsMs = 1000;

/** Removes history that is older than its retention (docs/history.md). One process does it at a time. */
export function createHistoryService(sql: Database, settings: LiveSettings, log: Log): Service {
  return new Loop({
    name: "history",
    intervalMs: pollMs,
    log,
    round: async (signal) => {
      const beganAt = await beginRemoval(sql, everySeconds);
      if (beganAt !== undefined) await removeOnce({ sql, settings, log, beganAt, signal });
      return undefined;
    },
  });
}

interface Round {
  sql: Database;
  settings: LiveSettings;
  log: Log;
  beganAt: Date;
  signal: AbortSignal;
}

async function removeOnce({ sql, settings, log, beganAt, signal }: Round): Promise<void> {
  const { retention } = await settings.load(sql);
  const removed = nothingRemoved();
  const startedAt = performance.now();
  const say = (text: string) => log.info({ ...removed, retention, tookMs: Math.round(performance.now() - startedAt) }, text);
  const outdated = new AbortController();
  const progress = setInterval(() => {
    say("removing history");
    void noteRemoval(sql, beganAt, removed, false).then((isOurs) => (isOurs ? undefined : outdated.abort()), ignore);
  }, progressMs);
  const look = setInterval(() => {
    void settings.load(sql).then((now) => (isDeepStrictEqual(now.retention, retention) ? undefined : outdated.abort()), ignore);
  }, settingsMs);
  const onBusy = (partition: string) => log.warn({ partition }, "a history partition is in use; it will be dropped next time");
  const ended = AbortSignal.any([signal, outdated.signal]);
  try {
    await removeHistory({
      sql,
      retention,
      signal: ended,
      pause: (ms) => sleep(ms, undefined, { signal: ended }).catch(ignore),
      removed,
      onBusy,
    });
  } finally {
    clearInterval(progress);
    clearInterval(look);
  }
  // When the process stops, another one finds the removal unfinished and continues.
  if (!signal.aborted) await noteRemoval(sql, beganAt, removed, true);
  if (hasRemoved(removed)) say(ended.aborted ? "removal of history was interrupted" : "history removed");
}

const hasRemoved = (removed: Removed) => Object.values(removed).some((one) => (typeof one === "number" ? one > 0 : one.length > 0));
/** An aborted pause, or a database that is unreachable for a moment: the removal itself finds out. */
const ignore = () => undefined;
