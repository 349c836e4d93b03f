import { stringEnum } from "@millrace/contract/schema.ts";
import { taskRunLogSearch } from "@millrace/contract/task-run.ts";
import Type from "typebox";
import { maxPatternLength } from "../../base/text/pattern.ts";
import { defineEndpoint } from "../endpoint.ts";
import { findLog } from "./find-log.ts";
import { createLineFilter } from "./line-filter.ts";
import { findLogBegin } from "./log-begin.ts";
import { LineSearch } from "./search-lines.ts";

export const searchLog = defineEndpoint({
  method: "GET",
  path: "/api/v2/taskrun/:taskRunId/log/search",
  summary: "Find lines in the log of a task run",
  description:
    "Answers the numbers of the lines that fit everything that is given, for reading them with `fromLine`; without any criterion all fit. Colours in a line don't count. A request works for half a " +
    "second at most, so a long log takes several: go on with `next` as `fromLine` until it is missing. Needs the permission `taskrun/read` in the team of the run.",
  tag: "Task runs",
  permission: "signed-in",
  transaction: "none",
  keepsToWorkflow: true,
  params: Type.Object({ taskRunId: Type.String({ description: "Id of the task run" }) }),
  query: Type.Object({
    text: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: "Stands in the line" })),
    pattern: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: maxPatternLength - 12,
        description: "A pattern of RE2 that fits a part of the line; instead of `text`",
      }),
    ),
    matchCase: Type.Boolean({ default: false, description: "Tell upper and lower case apart" }),
    step: Type.Optional(Type.String({ maxLength: 500, description: "Only lines of that step" })),
    stream: Type.Optional(
      stringEnum(["stdout", "stderr", "system"], {
        description:
          "Only lines with that `stream`: `system` is what the service says; the other two are of logs whose streams were read apart",
      }),
    ),
    errors: Type.Boolean({ default: false, description: "Only lines that look like an error by their words" }),
    fromLine: Type.Integer({ minimum: 1, maximum: 2_000_000_000, default: 1, description: "Number of the line where the search begins" }),
    limit: Type.Integer({ minimum: 1, maximum: 10_000, default: 1000, description: "Ranges in the answer at most" }),
  }),
  response: taskRunLogSearch,
  async handle({ db, params, query, principal }) {
    const place = await findLog(db, params.taskRunId, principal);
    const { fromLine, limit, ...criteria } = query;
    const filter = createLineFilter(criteria);
    const { cursor } = await findLogBegin(db, place, { fromLine });
    const { hasMore, ...found } = await new LineSearch({ db, place, filter, limit }, fromLine).run(cursor);
    return { ...found, ...(hasMore && { next: found.searchedTo + 1 }) };
  },
});
