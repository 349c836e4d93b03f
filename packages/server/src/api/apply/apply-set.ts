import { setImmediate } from "node:timers/promises";
import type { AppliedDocument, ApplyProblem, ApplyResult } from "@millrace/contract/apply.ts";
import { AppError } from "../../base/error/app-error.ts";
import { documentKey, orderDocuments } from "../../core/apply/apply-order.ts";
import { DocumentDiffs, type ShownDocument } from "../../core/apply/diff-documents.ts";
import type { Transaction } from "../../store/database/database.ts";
import type { TeamScope } from "../endpoint.ts";
import { type ApplyContext, mayRead, type SavedDocument } from "./apply-context.ts";
import { type DocumentPlace, problemOf, problemsOf, refusalOf } from "./apply-problems.ts";
import { type KeptBySet, pruneSet } from "./prune-set.ts";
import type { ReadSet, SetDocument } from "./read-set.ts";
import { saveDocument } from "./save-document.ts";
import { TeamParameters } from "./save-parameter.ts";

export interface ApplyOptions {
  isDryRun: boolean;
  /** Objects with these labels that are not in the set are deleted; undefined: none are. */
  prune: Record<string, string> | undefined;
}

/** A document of the response, and the content for its diff. */
interface Outcome {
  document: AppliedDocument;
  before: ShownDocument;
  after: ShownDocument;
}

interface SetOutcome {
  outcomes: Outcome[];
  problems: ApplyProblem[];
}

/**
 * Applies a set in the caller's transaction: each document is saved by the rules of its own endpoint, one after the other, so that it finds what
 * it refers to. A document with problems does not prevent checks of the others; the set as a whole is refused then, which undoes all of
 * it. A dry run does the same work behind a savepoint, and goes back to it.
 *
 * @throws VALIDATION_FAILED or PERMISSION_DENIED with all problems, unless it is a dry run
 */
export async function applySet(context: ApplyContext, set: ReadSet, { isDryRun, prune }: ApplyOptions): Promise<ApplyResult> {
  const work = (tx: Transaction) => saveSet(isDryRun ? withoutEffects({ ...context, db: tx }) : context, set, prune);
  const { outcomes, problems } = isDryRun ? await undone(context.db, work) : await work(context.db);
  problems.sort((one, other) => (one.index ?? Number.MAX_SAFE_INTEGER) - (other.index ?? Number.MAX_SAFE_INTEGER));
  if (!isDryRun && problems.length > 0) throw refusalOf(problems);
  return { dryRun: isDryRun, documents: await withDiffs(outcomes), problems: problems.slice(0, maxProblems) };
}

const maxProblems = 200;

function withoutEffects(context: ApplyContext): ApplyContext {
  return { ...context, audit: () => {}, afterCommit: () => {} };
}

/** Runs `work` after a savepoint, and rolls back to it: its rows, locks and notifications are gone. */
async function undone<T>(db: Transaction, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const end = new Error("undone as intended");
  let done: { value: T } | undefined;
  try {
    await db.savepoint(async (tx) => {
      done = { value: await work(tx as Transaction) };
      throw end;
    });
  } catch (error) {
    if (error !== end) throw error;
  }
  return (done as { value: T }).value;
}

async function saveSet(
  context: ApplyContext,
  { documents, unreadable, problems: unread }: ReadSet,
  prune: ApplyOptions["prune"],
): Promise<SetOutcome> {
  const problems = [...unread, ...duplicatesIn(documents)];
  const outcomes: Outcome[] = [];
  const failed = new Map<string, DocumentPlace>(unreadable);
  const saved: [SetDocument, SavedDocument][] = [];
  const begunAt = performance.now();
  const parameters = context.team === null ? undefined : new TeamParameters(context, context.team);
  for (const document of orderDocuments(documents)) {
    await setImmediate();
    if (performance.now() - begunAt > maxSavingMs) throw tooSlow();
    if (document.form !== "parameter") await parameters?.write();
    const cause = document.needs.map((key) => failed.get(key)).find((needed) => needed !== undefined);
    const found = cause === undefined ? await saveOne(context, document, parameters) : [unchecked(document, cause)];
    if (Array.isArray(found)) {
      // What the caller may not write may exist all the same.
      if (found.some(({ reason }) => reason !== "PERMISSION_DENIED")) failed.set(document.key, document);
      problems.push(...found);
      continue;
    }
    saved.push([document, found]);
    outcomes.push(outcomeOf(context, document, found));
  }
  await parameters?.write();
  for (const [document, { afterSet }] of saved) problems.push(...(afterSet ? await check(document, afterSet) : []));
  outcomes.sort((one, other) => (one.document.index ?? 0) - (other.document.index ?? 0));
  // What a document with problems would keep is not known.
  if (prune === undefined || context.team === null || problems.length > 0) return { outcomes, problems };
  const gone = await pruneSet({ ...context, team: context.team as TeamScope }, prune, keptBy(saved));
  for (const { document, before } of gone.pruned) {
    const shown = mayRead(context, document.kind) ? before : undefined;
    outcomes.push({ document: { ...document, action: "deleted" }, before: shown, after: undefined });
  }
  return { outcomes, problems: gone.problems };
}

/** Rows that others want are locked at most so long: while workflows are created, no queued run of the team begins. */
const maxSavingMs = 20_000;

function tooSlow(): AppError {
  const message = `the set takes longer than ${maxSavingMs / 1000} seconds; nothing was changed; apply it in several parts`;
  return new AppError("VALIDATION_FAILED", [message], { details: [{ path: "", message }] });
}

async function saveOne(
  context: ApplyContext,
  document: SetDocument,
  parameters: TeamParameters | undefined,
): Promise<SavedDocument | ApplyProblem[]> {
  try {
    return await saveDocument(context, document, parameters);
  } catch (error) {
    if (error instanceof AppError) return problemsOf(document, error);
    throw error;
  }
}

/** After all documents are saved, because the tests of a workflow may be in the same set. */
async function check(document: SetDocument, afterSet: () => Promise<void>): Promise<ApplyProblem[]> {
  try {
    await afterSet();
    return [];
  } catch (error) {
    if (error instanceof AppError) return problemsOf(document, error);
    throw error;
  }
}

/** Naming what it misses would only repeat the problem of the other document. */
function unchecked(document: SetDocument, { index, kind, name }: DocumentPlace): ApplyProblem {
  return problemOf(document, {
    path: "",
    message: `It was not checked, since it refers to document ${index + 1} (${kind} ${name}), which has problems`,
  });
}

function duplicatesIn(documents: readonly SetDocument[]): ApplyProblem[] {
  const first = new Map<string, SetDocument>();
  return documents.flatMap((document) => {
    const other = first.get(document.key);
    if (other === undefined) first.set(document.key, document);
    const message = `is ${document.name}, as in document ${(other?.index ?? 0) + 1}; a set can have only one ${document.kind} of a name`;
    return other === undefined ? [] : [problemOf(document, { path: document.form === "task" ? "" : "/name", message })];
  });
}

function outcomeOf(context: ApplyContext, { index, kind, warnings }: SetDocument, saved: SavedDocument): Outcome {
  const { name, workflow, id, version, isSame, secret, proposedAs } = saved;
  const all = [...warnings, ...(saved.warnings ?? [])];
  const document: AppliedDocument = {
    index,
    kind,
    name,
    ...(workflow !== undefined && { workflow }),
    ...(id !== undefined && { id }),
    action: actionOf(saved),
    ...(proposedAs !== undefined && { actionRef: proposedAs }),
    ...(version !== undefined && { version }),
    ...(!isSame && saved.before !== undefined && saved.changesSecrets && { changesSecrets: true }),
    ...(secret !== undefined && { secret }),
    ...(all.length > 0 && { warnings: all.slice(0, 50) }),
  };
  const isShown = !isSame && mayRead(context, kind, kind === "Team" ? id : context.team?.id);
  return { document, before: isShown ? saved.before : undefined, after: isShown ? saved.after : undefined };
}

function actionOf({ isSame, before, proposedAs }: SavedDocument): AppliedDocument["action"] {
  if (isSame) return "unchanged";
  if (proposedAs !== undefined) return "proposed";
  return before === undefined ? "created" : "updated";
}

function keptBy(saved: readonly [SetDocument, SavedDocument][]): KeptBySet {
  const embedded = saved.flatMap(([document]) => (document.form === "workflow" ? document.written.embedded : []));
  const schedules = saved.filter(([{ form }]) => form === "schedule").map(([, schedule]) => schedule);
  return {
    // A task can be named by its id.
    keys: new Set([
      ...saved.flatMap(([{ key, kind }, { name }]) => [key, documentKey(kind, name)]),
      ...embedded.map(({ definition }) => `Task ${definition.metadata.name}`),
    ]),
    scheduleIds: new Set(schedules.flatMap(({ id }) => id ?? [])),
    scheduledWorkflows: new Set(schedules.flatMap(({ workflow }) => workflow ?? [])),
  };
}

/** The other requests of the process are served between two diffs. */
async function withDiffs(outcomes: readonly Outcome[]): Promise<AppliedDocument[]> {
  const differ = new DocumentDiffs();
  const documents: AppliedDocument[] = [];
  for (const { document, before, after } of outcomes) {
    const isShown = before !== undefined || after !== undefined;
    documents.push({ ...document, ...(isShown && differ.diff(`${document.kind} ${document.name}`, before, after)) });
    if (isShown) await setImmediate();
  }
  return documents;
}
