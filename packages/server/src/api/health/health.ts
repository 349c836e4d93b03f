import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { mayDoEverything } from "../../policy/users.ts";
import { findMovingFailure, type MovingFailure } from "../../store/log/log-moves.ts";
import { getInstance } from "../../store/settings/instance.ts";
import { defineEndpoint } from "../endpoint.ts";

export const getHealth = defineEndpoint({
  method: "GET",
  path: "/health",
  summary: "Check that the process is alive, and which executors it has",
  description: "Only administrators of the instance see `detail`, since it can contain file names and addresses of the machine.",
  tag: "Operation",
  permission: "open",
  transaction: "none",
  response: Type.Object({
    status: Type.String({
      examples: ["up"],
      description:
        "`up`; `degraded` if the database accepts no changes, if no executor is available and tasks wait, or if logs can't be moved to the log store",
    }),
    database: Type.String({ examples: ["up"], description: "`up`; `full` while its disk is full; `away` while it does not respond" }),
    logStore: Type.Optional(
      Type.Object(
        {
          status: Type.String({ examples: ["up"], description: "`up`; `failing` while logs can't be moved there" }),
          failingSince: Type.Optional(Type.String({ format: "date-time" })),
          detail: Type.Optional(Type.String({ description: "Why it fails" })),
        },
        { description: "Absent if the process has no log store" },
      ),
    ),
    executors: Type.Array(
      Type.Object({
        kind: Type.String({ examples: ["process", "container", "kubernetes"] }),
        available: Type.Boolean(),
        isolation: Type.String({ description: "What isolates the steps" }),
        detail: Type.Optional(Type.String({ description: "Details, or why it is not available" })),
      }),
      { description: "Empty if the process runs no tasks" },
    ),
  }),
  async handle({ db, principal, services }) {
    const isAdministrator = mayDoEverything(principal);
    const executors = (services.executors?.() ?? []).map(({ kind, available, isolation, detail }) => ({
      ...{ kind, available, isolation },
      ...(isAdministrator && { detail }),
    }));
    // Not an error: requests are served, and tasks wait until an executor is back.
    const isDegraded = services.executors !== undefined && executors.length > 0 && executors.every(({ available }) => !available);
    const database = services.outage?.current()?.kind ?? "up";
    // Without a database there still is a response, and at once.
    const canAsk = services.logStore !== undefined && database === "up";
    const failure = canAsk ? await findMovingFailure(db).catch(() => undefined) : undefined;
    const status = isDegraded || database !== "up" || failure !== undefined ? "degraded" : "up";
    return { status, database, ...(services.logStore !== undefined && { logStore: viewLogStore(failure, isAdministrator) }), executors };
  },
});

function viewLogStore(failure: MovingFailure | undefined, isAdministrator: boolean) {
  if (failure === undefined) return { status: "up" };
  return { status: "failing", failingSince: failure.since.toISOString(), ...(isAdministrator && { detail: failure.failure }) };
}

export const getReady = defineEndpoint({
  method: "GET",
  path: "/ready",
  summary: "Check whether the process accepts requests and work",
  description:
    "200 if the database responds with the right schema, has disk space, and every role of this process is up; otherwise 503. A process with only the role `worker` also needs an available executor.",
  tag: "Operation",
  permission: "open",
  transaction: "none",
  response: Type.Object({ status: Type.String({ examples: ["ready"] }) }),
  async handle({ db, services }) {
    await getInstance(db);
    const outage = services.outage?.current();
    if (outage?.kind === "full") throw new AppError("DATABASE_FULL", [], { retryAfterSeconds: 30 });
    const why = outage?.text ?? services.whyNotReady?.();
    if (why !== undefined) throw new AppError("NOT_READY", [why], { retryAfterSeconds: 1 });
    return { status: "ready" };
  },
});
