import { isFinal } from "@millrace/contract/status.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { channels } from "../../domain/run/wake-for-changes.ts";
import { allows } from "../../policy/allows.ts";
import type { Database } from "../../store/database/database.ts";
import { findRunStatus } from "../../store/run/runs.ts";
import type { Context, Principal, Services, TeamScope } from "../endpoint.ts";

/**
 * An answer that waits for the end of a run (`?wait=30s`). The rows say when it is over; wakes only say when to look, and it looks
 * by itself every few seconds, because they may be lost. That it has ended is looked at without a rest. No connection of the database is held meanwhile.
 */
export const waitParameter = Type.Optional(
  Type.String({
    maxLength: 20,
    description:
      "Wait until the run ends before responding, for at most this time: `30s`, `500ms`, `2m`, up to 300s. If the run is still open then, the response has its current state",
    examples: ["30s"],
  }),
);

const mostMs = 300_000;
const pollMs = 3000;
/** Shortest time between two looks while it runs: each task of a run wakes those who wait for it. */
const restBetweenMs = 20;
const unitMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000 };

/** @returns milliseconds @throws AppError VALIDATION_FAILED */
export function readWait(text: string): number {
  const [, number, unit] = /^(\d{1,6})(ms|s|m)$/.exec(text) ?? [];
  const ms = Number(number) * unitMs[unit ?? ""]!;
  if (ms <= mostMs) return ms;
  const message = `is ${JSON.stringify(text)}; it must be a number with ms, s or m, at most 300s`;
  throw new AppError("VALIDATION_FAILED", [`the query: wait ${message}`], { details: [{ path: "/wait", message }] });
}

/** Checked before anything is done for a caller that waits. @throws AppError VALIDATION_FAILED, PERMISSION_DENIED */
export function checkWait(text: string, principal: Principal, team: TeamScope): void {
  readWait(text);
  checkReader(principal, team);
}

function checkReader(principal: Principal | undefined, team: TeamScope): void {
  if (principal === undefined || !allows(principal, "workflowrun/read", team.id))
    throw new AppError("PERMISSION_DENIED", [`waiting for a run needs the permission workflowrun/read in team ${team.name}`]);
}

type Waiting = Pick<Context<unknown, unknown, unknown, Database>, "team" | "principalNow" | "closed"> & {
  services: Pick<Services, "bus" | "stopping">;
};

/**
 * Returns when the run has ended or was deleted, the time is up, the client has disconnected or the service stops.
 * @throws AppError PERMISSION_DENIED if the caller may no longer read runs of the team
 */
export async function awaitRun(
  db: Database,
  { team, principalNow, services, closed }: Waiting,
  runId: string,
  forMs: number,
  restMs = restBetweenMs,
): Promise<void> {
  const end = performance.now() + forMs;
  const { bus, stopping } = services;
  const changed = createAlarm();
  const over = createAlarm();
  const ringAll = () => {
    changed.ring();
    over.ring();
  };
  const signals = [closed(), ...(stopping ? [stopping] : [])];
  for (const signal of signals) signal.addEventListener("abort", ringAll);
  const subscriptions = [
    bus.onWake(channels.runs, (ids) => (!ids || ids.has(runId)) && changed.ring()),
    bus.onWake(channels.ended, (ids) => ids?.has(runId) && ringAll()),
  ];
  try {
    while (signals.every(({ aborted }) => !aborted)) {
      changed.reset();
      over.reset();
      const status = await findRunStatus(db, team.id, runId);
      const leftMs = end - performance.now();
      if (status === undefined || isFinal(status) || leftMs <= 0) break;
      await changed.within(Math.min(leftMs, pollMs));
      await over.within(restMs);
    }
  } finally {
    for (const unsubscribe of subscriptions) unsubscribe();
    for (const signal of signals) signal.removeEventListener("abort", ringAll);
  }
  checkReader(await principalNow(), team);
}

/** Ends a pause, and the next one if there is none. */
function createAlarm() {
  let isRinging = false;
  let end = () => {};
  return {
    ring() {
      isRinging = true;
      end();
    },
    reset() {
      isRinging = false;
    },
    within: (ms: number) =>
      new Promise<void>((done) => {
        if (isRinging) return done();
        const timer = setTimeout(done, ms);
        end = () => {
          clearTimeout(timer);
          done();
        };
      }),
  };
}
