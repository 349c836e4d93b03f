import {
  type ExternalClaim,
  externalClaimRequest,
  externalClaims,
  externalCompletion,
  externalCompletionAnswer,
  externalHeartbeat,
  externalHeartbeatAnswer,
  externalLeave,
  externalLog,
  externalLogAnswer,
} from "@millrace/contract/external.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { addExternalLines } from "../../domain/external/add-external-lines.ts";
import { addExternalWorker, claimExternal } from "../../domain/external/claim-external.ts";
import { completeExternal } from "../../domain/external/complete-external.ts";
import { heartbeatExternal, leaveExternal } from "../../domain/external/heartbeat-external.ts";
import { nameOf } from "../../domain/external/held-attempts.ts";
import type { ExternalJob } from "../../domain/external/prepare-external.ts";
import { mayClaim } from "../../policy/tokens.ts";
import type { ExternalWorkerKey } from "../../store/external/external-workers.ts";
import { defineEndpoint, type Principal, type Services, type TeamScope } from "../endpoint.ts";
import { teamParameter } from "../request-parameters.ts";

/**
 * The endpoints of external workers: docs/external-workers.md. A worker belongs to the credential that registered it, so each request needs
 * only the permission; its token says what it may claim.
 */
const shared = {
  method: "POST",
  tag: "External workers",
  permission: "externaltask/action",
  // Each is one statement or a few, and some wait.
  transaction: "none",
  params: Type.Object({ team: teamParameter }),
} as const;

export const claimExternalTasks = defineEndpoint({
  ...shared,
  path: "/api/v2/team/:team/external/claim",
  summary: "Claim task runs of external tasks",
  description:
    "Returns attempts for the caller to run, with their parameters, in which secrets are in clear text. The token must name the tasks. With `wait`, the response comes as soon as something can be claimed. The first claim of a program registers it as a worker: send the ID from its response with all further requests.",
  body: externalClaimRequest,
  response: externalClaims,
  async handle({ body, team, principal, services, closed }) {
    const { tasks, max = 1, wait = 0 } = body;
    requireTasks(principal, tasks);
    refuseInactive(team);
    const leaseSeconds = body.leaseSeconds ?? 30;
    const newWorker = { owner: principal.id, name: body.name?.trim() ?? principal.name, leaseSeconds };
    const worker = body.worker ?? (await addExternalWorker(services.external!, team, newWorker));
    const wanted = { tasks: [...new Set(tasks)], max, waitMs: wait * 1000 };
    const { jobs, warnings } = await claimExternal(services.external!, keyOf(worker, team, principal), wanted, closed(), services.stopping);
    return {
      worker,
      ...(body.worker === undefined && { leaseSeconds }),
      attempts: jobs.map(viewJob),
      ...(warnings.length > 0 && { warnings }),
    };
  },
});

export const sendExternalHeartbeat = defineEndpoint({
  ...shared,
  path: "/api/v2/team/:team/external/heartbeat",
  summary: "Send a heartbeat of an external worker",
  description:
    "Extends the lease of the worker. The response names the attempts that it must stop, because they were cancelled, timed out or lost. With `wait`, the response comes as soon as there is one.",
  body: externalHeartbeat,
  response: externalHeartbeatAnswer,
  handle: ({ body, team, principal, services, closed }) =>
    heartbeatExternal(
      services.external!,
      keyOf(body.worker, team, principal),
      body.attempts,
      (body.wait ?? 0) * 1000,
      signalsOf(services, closed()),
    ),
});

export const addExternalLogLines = defineEndpoint({
  ...shared,
  path: "/api/v2/team/:team/external/log",
  summary: "Append to the logs of attempts",
  description:
    "Secrets are masked. A line with line ends becomes several lines, and a very long one, too. Lines are kept in the order of the requests; send the next request when the previous one was answered.",
  body: externalLog,
  bodyLimit: 4 * 1024 * 1024,
  response: externalLogAnswer,
  async handle({ body, team, principal, services }) {
    const stored = await addExternalLines(services.external!, keyOf(body.worker, team, principal), body.attempts);
    return { attempts: body.attempts.map(({ id, attempt }) => ({ id, attempt, stored: stored.has(nameOf({ id, attempt })) })) };
  },
});

export const completeExternalTasks = defineEndpoint({
  ...shared,
  path: "/api/v2/team/:team/external/complete",
  summary: "Complete attempts, and claim the next ones",
  description:
    "Records how attempts ended. With `claim`, the response has the next attempts, so that a chain of tasks needs one request for each. An attempt that is over, or is not the worker's any more, is not recorded; sending the same request twice changes nothing.",
  body: externalCompletion,
  bodyLimit: 8 * 1024 * 1024,
  response: externalCompletionAnswer,
  async handle({ body, team, principal, services, closed }) {
    const { tasks = [], max = 1 } = body.claim ?? {};
    requireTasks(principal, tasks);
    refuseTwice(body.attempts);
    const isClaiming = body.claim !== undefined && team.status === "active";
    const next = { tasks: [...new Set(tasks)], max: isClaiming ? max : 0 };
    const key = keyOf(body.worker, team, principal);
    const { completed, jobs } = await completeExternal(services.external!, key, body.attempts, next, closed());
    return { completed, claimed: jobs.map(viewJob) };
  },
});

export const leaveExternalWorker = defineEndpoint({
  ...shared,
  path: "/api/v2/team/:team/external/leave",
  summary: "End an external worker",
  description: "Ends the lease of the worker. What it still holds is released, and goes to other workers at once without using up retries.",
  body: externalLeave,
  response: null,
  async handle({ body, team, principal, services }) {
    await leaveExternal(services.external!, keyOf(body.worker, team, principal));
  },
});

function keyOf(worker: string, { id: teamId }: TeamScope, { id: owner }: Principal): ExternalWorkerKey {
  return { teamId, id: worker.toLowerCase(), owner };
}

function signalsOf({ stopping }: Services, closed: AbortSignal): AbortSignal[] {
  return [closed, ...(stopping ? [stopping] : [])];
}

/** @throws PERMISSION_DENIED */
function requireTasks(principal: Principal, tasks: readonly string[]): void {
  const denied = tasks.find((task) => !mayClaim(principal, task));
  if (denied === undefined) return;
  const remedy = `create a token with "tasks": ["${denied}"]`;
  const why = principal.tasks === undefined ? "this credential names no tasks" : `this token is for ${principal.tasks.join(", ")}`;
  throw new AppError("PERMISSION_DENIED", [`claiming task ${denied}: ${why}; ${remedy}`]);
}

/** @throws WORKFLOW_TEAM_INACTIVE */
function refuseInactive({ name, status }: TeamScope): void {
  if (status !== "active") throw new AppError("WORKFLOW_TEAM_INACTIVE", [name]);
}

/** @throws VALIDATION_FAILED */
function refuseTwice(attempts: readonly { id: string; attempt: number }[]): void {
  const seen = new Set<string>();
  for (const [index, { id }] of attempts.entries()) {
    if (!seen.has(id.toLowerCase())) seen.add(id.toLowerCase());
    else
      throw new AppError("VALIDATION_FAILED", [`task run ${id} is listed twice`], {
        details: [{ path: `/attempts/${index}/id`, message: "is listed twice" }],
      });
  }
}

function viewJob({ claim, task, name, params, traceparent }: ExternalJob): ExternalClaim {
  const { id, attempt, runId, deadlineAt, losses } = claim;
  return {
    id,
    attempt,
    task,
    name,
    runId,
    params,
    deadline: deadlineAt?.toISOString() ?? null,
    losses,
    ...(traceparent && { traceparent }),
  };
}
