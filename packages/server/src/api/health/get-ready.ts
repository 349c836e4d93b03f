import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { getInstance } from "../../store/settings/instance.ts";
import { defineEndpoint } from "../endpoint.ts";

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
