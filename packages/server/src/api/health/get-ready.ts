import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { getInstance } from "../../store/settings/instance.ts";
import { defineEndpoint } from "../endpoint.ts";

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
