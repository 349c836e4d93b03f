import { maxTopicLength } from "@millrace/contract/run/task-run.ts";
import type { TSchema } from "typebox";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { isId } from "../../base/text/uuid.ts";
import { missingHistory } from "../../domain/history/removed-history.ts";
import { deliverCallback, isCallbackSigned } from "../../domain/run/callbacks.ts";
import { publishChanges } from "../../domain/run/report-changes.ts";
import { allows, canSeeTeam } from "../../policy/allows.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findRun } from "../../store/run/runs.ts";
import { findTeamOfRun } from "../../store/team/directory.ts";
import { defineEndpoint, type Endpoint, type Principal } from "../endpoint.ts";

/** The published interface writes these values with capitals; like all query values they are read ignoring case. */
const status = Type.Unsafe<"succeeded" | "failed">({
  type: "string",
  enum: ["succeeded", "failed"],
  default: "succeeded",
  description: "The final status of the task, in upper or lower case",
});

/** POST and GET of a callback are the same endpoint except for the payload, which only a POST has. */
function defineCallback(method: "GET" | "POST", summary: string, body: TSchema | undefined): Endpoint {
  return defineEndpoint({
    method,
    path: "/api/v2/callback",
    summary,
    description:
      "Ends every task of the run that waits for the topic, and is stored for tasks that start waiting later. 409 for a finished run, unless " +
      "it already received the same callback. Needs the permission `webhook/action` in the team of the run, or the `signature` of the URL that the run " +
      "itself created for this topic.",
    tag: "Events",
    permission: "signed-in",
    transaction: "write",
    keepsToWorkflow: true,
    tokenInQuery: true,
    signedBy: (_headers, parameter) => (parameter("signature") === undefined ? undefined : "callback"),
    query: Type.Object({
      ref: Type.String({ description: "ID of the run" }),
      topic: Type.String({ minLength: 1, maxLength: maxTopicLength, description: "What the task waits for" }),
      status,
      signature: Type.Optional(
        Type.String({
          maxLength: 200,
          description: "Instead of a credential: part of the URL `$(context.params.callback-url.TOPIC)` of a run",
        }),
      ),
    }),
    ...(body && { body }),
    response: null,
    async handle({ db, query, body: payload, principal, keyring, services, audit, afterCommit }) {
      const isSigned = principal.kind === "integration";
      if (isSigned && !isCallbackSigned(keyring, query.ref, query.topic, query.signature ?? "")) throw unsigned();
      const { teamId, runId, workflowName } = await (isSigned ? findSignedRun(db, query.ref) : findReachableRun(db, query.ref, principal));
      const { topic, status } = query;
      const change = await deliverCallback(db, services.runs, { teamId, runId, topic, status, payload });
      audit({ kind: "workflowrun", id: runId, name: workflowName, teamId, after: { topic, status } });
      afterCommit(() => publishChanges(services, [change]));
    },
  });
}

/** The signature proves that the run existed; it may be deleted by now. */
async function findSignedRun(db: Queryable, ref: string) {
  const teamId = isId(ref) ? await findTeamOfRun(db, ref) : undefined;
  const run = teamId === undefined ? undefined : await findRun(db, teamId, ref);
  if (teamId === undefined || !run) throw unsigned();
  return { teamId, runId: run.id, workflowName: run.workflowName };
}

function unsigned(): AppError {
  return new AppError("UNAUTHENTICATED", [
    "the signature is wrong; use the URL exactly as the run created it, with the same ref and topic",
  ]);
}

/** A caller who can't see the team, or the workflow, gets the same error as for an unknown run. */
async function findReachableRun(db: Queryable, ref: string, principal: Principal) {
  const teamId = isId(ref) ? await findTeamOfRun(db, ref) : undefined;
  const run = teamId !== undefined && canSeeTeam(principal, teamId) ? await findRun(db, teamId, ref) : undefined;
  const isForeign = principal.workflowId !== undefined && run?.workflowId !== principal.workflowId;
  if (teamId === undefined || !run || isForeign) throw await missingHistory(db, "WORKFLOWRUN_INVALID_REFERENCE", ref);
  if (!allows(principal, "webhook/action", teamId))
    throw new AppError("PERMISSION_DENIED", ["this needs the permission webhook/action in the team of the run"]);
  return { teamId, runId: run.id, workflowName: run.workflowName };
}

export const getCallback = defineCallback("GET", "Deliver the event that a run is waiting for", undefined);

/** Stored unchanged: it becomes the result `data` of the task. */
const payload = Type.Record(Type.String(), Type.Unknown(), { description: "Any object", examples: [{ environment: "production" }] });

export const postCallback = defineCallback("POST", "Deliver the event that a run is waiting for, with a payload", payload);
