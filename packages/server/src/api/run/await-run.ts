import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import type { EventBus } from "../../base/process/event-bus.ts";
import { allows } from "../../policy/allows.ts";
import type { Database } from "../../store/database/database.ts";
import type { Context, Principal, Services, TeamScope } from "../endpoint.ts";
import { RunEnds } from "./run-ends.ts";

/** An answer that waits for the end of a run (`?wait=30s`). No connection of the database is held meanwhile. */
export const waitParameter = Type.Optional(
  Type.String({
    maxLength: 20,
    description:
      "Wait until the run ends before responding, for at most this time: `30s`, `500ms`, `2m`, up to 300s. If the run is still open then, the response has its current state",
    examples: ["30s"],
  }),
);

const mostMs = 300_000;
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

/** One for each service that this process has: they share its event bus. */
const waits = new WeakMap<EventBus, RunEnds>();

/**
 * Returns when the run has ended or was deleted, the time is up, the client has disconnected or the service stops.
 * @param run.isNew this request has just recorded it
 * @throws AppError PERMISSION_DENIED if the caller may no longer read runs of the team
 */
export async function awaitRun(
  db: Database,
  { team, principalNow, services, closed }: Waiting,
  run: { id: string; isNew: boolean },
  forMs: number,
): Promise<void> {
  const { bus, stopping } = services;
  const ends = waits.get(bus) ?? new RunEnds(db, bus);
  waits.set(bus, ends);
  await ends.wait(team.id, run.id, forMs, [closed(), ...(stopping ? [stopping] : [])], run.isNew);
  checkReader(await principalNow(), team);
}
