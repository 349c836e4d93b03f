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
  async handle({ db, params, query, principal }) {
    const place = await findLog(db, params.taskRunId, principal);
    const { fromLine, limit, ...criteria } = query;
    const filter = createLineFilter(criteria);
    const { cursor } = await findLogBegin(db, place, { fromLine });
    const { hasMore, ...found } = await new LineSearch({ db, place, filter, limit }, fromLine).run(cursor);
    return { ...found, ...(hasMore && { next: found.searchedTo + 1 }) };
  },
});
