import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { mayDoEverything } from "../../policy/users.ts";
import { getInstance } from "../../store/settings/instance.ts";
import { defineEndpoint } from "../endpoint.ts";

export const getHealth = defineEndpoint({
  method: "GET",
  path: "/health",
  summary: "Say that the process is alive, and what it can run tasks with",
  description: "`detail` is for administrators of the instance only: it may name files and addresses of the machine.",
  tag: "Operation",
  permission: "open",
  transaction: "none",
  response: Type.Object({
    status: Type.String({
      examples: ["up"],
      description: "`up`, or `degraded` where the database takes no changes, or none of its executors is available: tasks wait",
    }),
    database: Type.String({ examples: ["up"], description: "`up`, `full` while its disk is full, or `away` while it does not answer" }),
    executors: Type.Array(
      Type.Object({
        kind: Type.String({ examples: ["process", "container", "kubernetes"] }),
        available: Type.Boolean(),
        isolation: Type.String({ description: "What holds the steps" }),
        detail: Type.Optional(Type.String({ description: "More about that, or why it is not available" })),
      }),
      { description: "None where the process runs no tasks" },
    ),
  }),
  async handle({ principal, services }) {
    const isAdministrator = mayDoEverything(principal);
    const executors = (services.executors?.() ?? []).map(({ kind, available, isolation, detail }) => ({
      ...{ kind, available, isolation },
      ...(isAdministrator && { detail }),
    }));
    // No error: requests are answered, and tasks wait until an executor is back.
    const isDegraded = services.executors !== undefined && executors.length > 0 && executors.every(({ available }) => !available);
    const database = services.outage?.current()?.kind ?? "up";
    return { status: isDegraded || database !== "up" ? "degraded" : "up", database, executors };
  },
});

export const getReady = defineEndpoint({
  method: "GET",
  path: "/ready",
  summary: "Say whether requests and work are taken",
  description:
    "200 when the database answers with the right schema, has room on its disk, and every role of this process is up, else 503. A process whose only role is `worker` needs an executor that works.",
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
