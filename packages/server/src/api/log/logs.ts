import { type LogLine, taskRunLog, taskRunLogSearch } from "@millrace/contract/run/task-run.ts";
import { stringEnum } from "@millrace/contract/schema.ts";
import { isFinal } from "@millrace/contract/status.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { maxPatternLength } from "../../base/text/pattern.ts";
import { preferredType } from "../../base/text/preferred-type.ts";
import { isId } from "../../base/text/uuid.ts";
import { type StoredLine, writeLogCursor } from "../../core/log/log-lines.ts";
import { missingHistory, refuseRemovedLog } from "../../domain/history/removed-history.ts";
import { allows, canSeeTeam } from "../../policy/allows.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findLogSource, findTaskRunStatus } from "../../store/run/task-runs.ts";
import { findTeamOfTaskRun } from "../../store/team/directory.ts";
import { defineEndpoint, type Principal, reply } from "../endpoint.ts";
import { findLogBegin, type LogBegin } from "./log-begin.ts";
import { type LogSource, refuseUnreadable } from "./log-source.ts";
import { LogStream } from "./log-stream.ts";
import { bytesToReadPage, type PageLimit, readLines } from "./read-lines.ts";
import { createLineFilter, LineSearch } from "./search-lines.ts";

const pageLines = 1000;
const mostOfPage = 10_000;
/** Of a page as JSON: a client may take any time to read it, so it is small, and the next page is another request. */
const pageCharacters = 256 * 1024;
const mostLines = 2_000_000_000;
const json = "application/json";
const jsonLines = "application/x-ndjson";

export const getLog = defineEndpoint({
  method: "GET",
  path: "/api/v2/taskrun/:taskRunId/log",
  summary: "Read the log of a task run",
  description:
    "Lines of a step are in the order in which they were written, on either stream. Text is streamed until the task run ends, with all attempts in order; `follow=false` returns what is there. The stream ends if you lose the permission to read it. With " +
    "`Accept: application/json` you get pages of lines, with `Accept: application/x-ndjson` the stream as one JSON object a line. `fromLine` and `tail` start anywhere without reading the lines before; the headers `x-first-line` and `x-total-lines` then " +
    "give the number of the first line, and of the lines so far. Line numbers start at 1 and continue over all attempts. Tasks that the engine runs itself have an empty log. " +
    "Needs the permission `taskrun/read` in the team of the run.",
  tag: "Task runs",
  permission: "signed-in",
  transaction: "none",
  keepsToWorkflow: true,
  tokenInQuery: true,
  produces: ["text/plain", json, jsonLines],
  params: Type.Object({ taskRunId: Type.String({ description: "ID of the task run" }) }),
  query: Type.Object({
    follow: Type.Boolean({ default: true, description: "Text only: continue until the task run ends" }),
    timestamps: Type.Boolean({ default: false, description: "Text only: start each line with its time" }),
    fromLine: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: mostLines,
        description: "Number of the first line, from 1 to the number of lines plus 1",
      }),
    ),
    tail: Type.Optional(
      Type.Integer({ minimum: 0, maximum: mostLines, description: "Start at the last N lines; 0 returns only new lines" }),
    ),
    after: Type.Optional(Type.String({ maxLength: 40, description: "JSON only: `next` of the previous page" })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: mostLines,
        description: `Maximum number of lines. JSON: of a page, up to ${mostOfPage}, default ${pageLines}. Text: default all`,
      }),
    ),
  }),
  response: taskRunLog,
  async handle({ db, params, query, principal, principalNow, headers, services }) {
    const place = await findLog(db, params.taskRunId, principal);
    const type = preferredType(headers["accept"], ["text/plain", json, jsonLines]);
    const isJson = type === json;
    const { follow, timestamps, limit, ...wanted } = query;
    if (isJson && limit !== undefined && limit > mostOfPage)
      throw new AppError("BAD_REQUEST", [
        `limit is ${limit}; a page has at most ${mostOfPage} lines: give a smaller limit, and read on with "next"`,
      ]);
    const source = { db, store: services.logStore, teamId: place.teamId, taskRunId: place.taskRunId };
    const begin = await findLogBegin(source, wanted);
    const numbers = headersOf(begin);
    const { bus, stopping, readers } = services;
    if (isJson) {
      const page = { lines: limit ?? pageLines, characters: pageCharacters };
      return reply({ headers: numbers, body: await readers!.use(bytesToReadPage, () => readPage(source, begin, page)) });
    }
    const mayRead = async () => mayReadLogs(await principalNow(), place.teamId);
    await refuseUnreadable(source, begin.cursor);
    const write = type === jsonLines ? jsonText : timestamps ? timedText : plainText;
    const options = { source, runId: place.runId, bus, mayRead, isFollowing: follow, write, stopping, readers: readers! };
    const body = new LogStream({ ...options, from: begin.cursor, limit: limit ?? Number.POSITIVE_INFINITY });
    return reply({
      headers: { "content-type": type === jsonLines ? type : "text/plain; charset=utf-8", ...numbers },
      body,
      staysOpenFor: (caller) => mayReadLogs(caller, place.teamId),
    });
  },
});

function headersOf({ numbers }: LogBegin): Record<string, string> {
  return numbers === undefined ? {} : { "x-first-line": String(numbers.firstLine), "x-total-lines": String(numbers.totalLines) };
}

const plainText = ({ text }: StoredLine) => `${text}\n`;
const timedText = ({ at, text }: StoredLine) => `${new Date(at).toISOString()} ${text}\n`;
const jsonText = (line: StoredLine) => `${JSON.stringify(toLogLine(line))}\n`;

function toLogLine({ at, step, stream, text }: StoredLine): LogLine {
  return { time: new Date(at).toISOString(), step, ...(stream !== "output" && { stream }), text };
}

async function readPage(source: LogSource, begin: LogBegin, limit: PageLimit) {
  const status = await findTaskRunStatus(source.db, source.teamId, source.taskRunId);
  const { lines, next, hasMore } = await readLines(source, begin.cursor, limit);
  const isAll = !hasMore && (status === undefined || isFinal(status));
  return {
    lines: lines.map(toLogLine),
    next: isAll ? null : writeLogCursor(next),
    ...begin.numbers,
  };
}

export const searchLog = defineEndpoint({
  method: "GET",
  path: "/api/v2/taskrun/:taskRunId/log/search",
  summary: "Find lines in the log of a task run",
  description:
    "Returns the numbers of the lines that match all criteria, for reading them with `fromLine`; without criteria all lines match. Colour codes are ignored. A request takes half a " +
    "second at most, so a long log takes several: continue with `next` as `fromLine` until it is absent. Needs the permission `taskrun/read` in the team of the run.",
  tag: "Task runs",
  permission: "signed-in",
  transaction: "none",
  keepsToWorkflow: true,
  params: Type.Object({ taskRunId: Type.String({ description: "ID of the task run" }) }),
  query: Type.Object({
    text: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: "Text that the line contains" })),
    pattern: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: maxPatternLength - 12,
        description: "An RE2 pattern that matches a part of the line; instead of `text`",
      }),
    ),
    matchCase: Type.Boolean({ default: false, description: "Match upper and lower case" }),
    step: Type.Optional(Type.String({ maxLength: 500, description: "Only lines of this step" })),
    stream: Type.Optional(
      stringEnum(["stdout", "stderr", "system"], {
        description:
          "Only lines with this `stream`: `system` is written by the service; the other two exist if the streams were read separately",
      }),
    ),
    errors: Type.Boolean({ default: false, description: "Only lines that look like an error" }),
    fromLine: Type.Integer({ minimum: 1, maximum: 2_000_000_000, default: 1, description: "Number of the line where the search starts" }),
    limit: Type.Integer({ minimum: 1, maximum: 10_000, default: 1000, description: "Maximum number of ranges in the response" }),
  }),
  response: taskRunLogSearch,
  async handle({ db, params, query, principal, services }) {
    const place = await findLog(db, params.taskRunId, principal);
    const { fromLine, limit, ...criteria } = query;
    const filter = createLineFilter(criteria);
    const source = { db, store: services.logStore, teamId: place.teamId, taskRunId: place.taskRunId };
    const { cursor } = await findLogBegin(source, { fromLine });
    const { hasMore, ...found } = await new LineSearch({ source, filter, limit }, fromLine).run(cursor);
    return { ...found, ...(hasMore && { next: found.searchedTo + 1 }) };
  },
});

function mayReadLogs(principal: Principal | undefined, teamId: string): boolean {
  return principal !== undefined && allows(principal, "taskrun/read", teamId);
}

/**
 * The log that the caller may read. A caller who can't see the team, or the workflow, gets the same error as for an unknown task run.
 * @throws TASKRUN_LOG_REMOVED
 */
async function findLog(
  db: Queryable,
  taskRunId: string,
  principal: Principal,
): Promise<{ teamId: string; runId: string; taskRunId: string }> {
  const teamId = isId(taskRunId) ? await findTeamOfTaskRun(db, taskRunId) : undefined;
  const source = teamId !== undefined && canSeeTeam(principal, teamId) ? await findLogSource(db, teamId, taskRunId) : undefined;
  const isForeign = principal.workflowId !== undefined && source?.workflowId !== principal.workflowId;
  if (teamId === undefined || !source || isForeign) throw await missingHistory(db, "TASKRUN_INVALID_REFERENCE", taskRunId);
  if (!mayReadLogs(principal, teamId))
    throw new AppError("PERMISSION_DENIED", ["this needs the permission taskrun/read in the team of the run"]);
  await refuseRemovedLog(db, teamId, taskRunId);
  return { teamId, runId: source.runId, taskRunId: taskRunId.toLowerCase() };
}
