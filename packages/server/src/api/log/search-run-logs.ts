import { type RunLogMatch, type RunLogSearch, runLogSearch } from "@millrace/contract/log/run-log-search.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { isId } from "../../base/text/uuid.ts";
import { refuseRemovedLog } from "../../domain/history/removed-history.ts";
import { type LoggedTask, listLoggedTasks } from "../../store/run/task-runs.ts";
import { defineEndpoint } from "../endpoint.ts";
import { getRunRow, runPath } from "../run/load-run.ts";
import { findLogBegin } from "./log-begin.ts";
import { type LogSource, readChunks } from "./log-source.ts";
import { inflateChunk, linesOf } from "./read-lines.ts";
import { createLineFilter } from "./search-lines.ts";

/** A request searches for at most this long; for the rest, the client sends another request. */
const budgetMs = 500;
const tasksAtOnce = 100;
const chunksAtOnce = { chunks: 4, bytes: 1024 * 1024 };
const longestText = 1_000;
/** More lines than any log has. */
const behindAll = 2_000_000_000;

export const searchRunLogs = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/workflowrun/:runId/log/search",
  summary: "Find lines in the logs of a run",
  description:
    "In the logs of all its task runs, in any case of letters; colour codes are ignored. A request takes about half a second at most: continue " +
    "with `next` as `from` until it is null. Secrets are masked in logs, so they are not found.",
  tag: "Runs",
  permission: "taskrun/read",
  transaction: "none",
  keepsToWorkflow: true,
  params: runPath,
  query: Type.Object({
    text: Type.String({ minLength: 1, maxLength: 500, description: "Text that the line contains" }),
    from: Type.Optional(Type.String({ maxLength: 100, description: "`next` of the previous response; default: the beginning" })),
    limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: "Maximum number of lines" }),
  }),
  response: ref(runLogSearch),
  async handle({ db, team, params, query: { text, from, limit }, principal, services }) {
    const run = await getRunRow(db, team.id, params.runId, principal);
    const place = from === undefined ? undefined : readPlace(from);
    if (place === undefined) await refuseRemovedLogs(db, team.id, run.id);
    const search = new RunSearch({ db, store: services.logStore, teamId: team.id, runId: run.id, text, limit });
    return search.run(place);
  },
});

/** With the first of them: the logs of a run are together. */
async function refuseRemovedLogs(db: LogSource["db"], teamId: string, runId: string): Promise<void> {
  const [first] = await listLoggedTasks(db, teamId, runId, undefined, 1);
  if (first) await refuseRemovedLog(db, teamId, first.id);
}

/** The task run at which to begin, and the line. */
interface SearchPlace extends Pick<LoggedTask, "node" | "item" | "id"> {
  line: number;
}

/** `NODE.ITEM.ID.LINE`; without an item: `-`. */
function readPlace(text: string): SearchPlace {
  const [, node, item, id, line] = /^(\d{1,9})\.(\d{1,9}|-)\.([0-9a-f-]{36})\.(\d{1,10})$/.exec(text) ?? [];
  if (id === undefined || !isId(id) || Number(line) > behindAll)
    throw new AppError("BAD_REQUEST", [`from is ${JSON.stringify(text)}: use next of the previous response`]);
  return { node: Number(node), item: item === "-" ? null : Number(item), id, line: Math.max(1, Number(line)) };
}

const writePlace = ({ node, item, id, line }: SearchPlace) => `${node}.${item ?? "-"}.${id}.${line}`;

interface RunSearchParts extends Omit<LogSource, "taskRunId"> {
  runId: string;
  text: string;
  limit: number;
}

class RunSearch {
  readonly #parts: RunSearchParts;
  readonly #filter: ReturnType<typeof createLineFilter>;
  readonly #endsAt = performance.now() + budgetMs;
  readonly #matches: RunLogMatch[] = [];
  #searchedTasks = 0;

  constructor(parts: RunSearchParts) {
    this.#parts = parts;
    this.#filter = createLineFilter({ text: parts.text, matchCase: false, errors: false });
  }

  async run(from: SearchPlace | undefined): Promise<RunLogSearch> {
    const { db, teamId, runId } = this.#parts;
    let place: SearchPlace | undefined = from;
    for (;;) {
      const tasks = await listLoggedTasks(db, teamId, runId, place, tasksAtOnce);
      if (tasks.length === 0) return this.#answer(null);
      for (const task of tasks) {
        if (place?.id === task.id && place.line === behindAll) continue;
        const stoppedAt = await this.#searchTask(task, place?.id === task.id ? place.line : 1);
        if (stoppedAt !== undefined) return this.#answer(writePlace({ ...task, line: stoppedAt }));
        this.#searchedTasks++;
      }
      if (tasks.length < tasksAtOnce) return this.#answer(null);
      // It is returned again, as the first of the next page.
      place = { ...tasks.at(-1)!, line: behindAll };
    }
  }

  #answer(next: string | null): RunLogSearch {
    return { matches: this.#matches, searchedTasks: this.#searchedTasks, next };
  }

  /** @returns the line at which it stopped; undefined at the end of the log */
  async #searchTask(task: LoggedTask, firstLine: number): Promise<number | undefined> {
    const source: LogSource = { ...this.#parts, taskRunId: task.id };
    let number = firstLine;
    let { cursor } = firstLine === 1 ? { cursor: { attempt: 0, seq: 0, line: 0 } } : await findLogBegin(source, { fromLine: firstLine });
    for (;;) {
      const chunks = await readChunks(source, { attempt: cursor.attempt, seq: cursor.seq - 1 }, chunksAtOnce);
      for (const chunk of chunks) {
        const lines = await linesOf(source, chunk, await inflateChunk(chunk));
        const isFirst = chunk.attempt === cursor.attempt && chunk.seq === cursor.seq;
        for (const line of lines.slice(isFirst ? cursor.line : 0)) {
          if (this.#matches.length >= this.#parts.limit) return number;
          if (this.#filter.fits(line)) this.#matches.push(viewMatch(task, number, line));
          number++;
        }
        // At least one chunk per request, so that each makes progress.
        if (performance.now() > this.#endsAt) return number;
      }
      const last = chunks.at(-1);
      if (last === undefined) return undefined;
      cursor = { attempt: last.attempt, seq: last.seq + 1, line: 0 };
    }
  }
}

function viewMatch(task: LoggedTask, line: number, { at, step, text }: { at: number; step: string; text: string }): RunLogMatch {
  return {
    taskRunRef: task.id,
    taskName: task.name,
    ...(task.item !== null && { item: task.item }),
    ...(step !== "" && { step }),
    line,
    date: new Date(at).toISOString(),
    text: text.length > longestText ? [...text.slice(0, longestText)].join("") : text,
  };
}
