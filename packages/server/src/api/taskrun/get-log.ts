import { isFinal } from "@millrace/contract/status.ts";
import { taskRunLog } from "@millrace/contract/task-run.ts";
import Type from "typebox";
import { AppError } from "../../base/app-error.ts";
import { logStart, readLogCursor, writeLogCursor } from "../../core/log-cursor.ts";
import { allows, canSeeTeam } from "../../policy/allows.ts";
import type { Queryable } from "../../store/database.ts";
import { findTeamOfTaskRun, isId } from "../../store/directory.ts";
import { findLogSource, findTaskRunStatus } from "../../store/task-runs.ts";
import { preferredType } from "../accepts.ts";
import { defineEndpoint, type Principal, reply } from "../endpoint.ts";
import { LogStream } from "./log-stream.ts";
import { type LogPlace, readLines } from "./read-lines.ts";

export const getLog = defineEndpoint({
  method: "GET",
  path: "/api/v2/taskrun/:taskRunId/log",
  summary: "Read the log of a task run, live",
  description:
    "As text it is streamed until the task run is over, all attempts in order, and cut off when the caller may not read it any more; `follow=false` gives what is there. With " +
    "`Accept: application/json` it comes in pages of lines. Tasks that the engine does itself have an empty log. " +
    "Needs the permission `taskrun/read` in the team of the run.",
  tag: "Task runs",
  permission: "signed-in",
  transaction: "none",
  keepsToWorkflow: true,
  tokenInQuery: true,
  produces: ["text/plain", "application/json"],
  params: Type.Object({ taskRunId: Type.String({ description: "Id of the task run" }) }),
  query: Type.Object({
    follow: Type.Boolean({ default: true, description: "Text only: go on until the task run is over" }),
    timestamps: Type.Boolean({ default: false, description: "Text only: begin each line with its time" }),
    after: Type.Optional(Type.String({ maxLength: 40, description: "JSON only: `next` of the page before" })),
    limit: Type.Integer({ minimum: 1, maximum: 10_000, default: 1000, description: "JSON only: lines on a page" }),
  }),
  response: taskRunLog,
  async handle({ db, params, query, principal, principalNow, headers, services }) {
    const { teamId, runId } = await findLog(db, params.taskRunId, principal);
    const place = { teamId, taskRunId: params.taskRunId.toLowerCase() };
    if (preferredType(headers["accept"], ["text/plain", "application/json"]) === "application/json") {
      return readPage(db, place, query.after, query.limit);
    }
    const { wire, stopping } = services;
    const { follow, timestamps } = query;
    const mayRead = async () => mayReadLogs(await principalNow(), teamId);
    const body = new LogStream({ ...place, sql: db, wire, runId, mayRead, isFollowing: follow, withTimes: timestamps, stopping });
    return reply({ headers: { "content-type": "text/plain; charset=utf-8" }, body });
  },
});

function mayReadLogs(principal: Principal | undefined, teamId: string): boolean {
  return principal !== undefined && allows(principal, "taskrun/read", teamId);
}

/** Somebody who can't see the team, or the workflow, is told that there is no such task run. */
async function findLog(db: Queryable, taskRunId: string, principal: Principal): Promise<{ teamId: string; runId: string }> {
  const teamId = isId(taskRunId) ? await findTeamOfTaskRun(db, taskRunId) : undefined;
  const source = teamId !== undefined && canSeeTeam(principal, teamId) ? await findLogSource(db, teamId, taskRunId) : undefined;
  const isForeign = principal.workflowId !== undefined && source?.workflowId !== principal.workflowId;
  if (teamId === undefined || !source || isForeign) throw new AppError("TASKRUN_INVALID_REFERENCE", [taskRunId]);
  if (!allows(principal, "taskrun/read", teamId))
    throw new AppError("PERMISSION_DENIED", ["this needs the permission taskrun/read in the team of the run"]);
  return { teamId, runId: source.runId };
}

async function readPage(db: Queryable, place: LogPlace, after: string | undefined, limit: number) {
  const from = after === undefined ? logStart : readLogCursor(after);
  if (!from) throw new AppError("BAD_REQUEST", [`after is ${JSON.stringify(after)}; it must be the "next" of an earlier answer`]);
  const status = await findTaskRunStatus(db, place.teamId, place.taskRunId);
  const { lines, next, hasMore } = await readLines(db, place, from, limit);
  const isAll = !hasMore && (status === undefined || isFinal(status));
  return {
    lines: lines.map(({ at, step, stream, text }) => ({ time: new Date(at).toISOString(), step, stream, text })),
    ...(!isAll && { next: writeLogCursor(next) }),
  };
}
