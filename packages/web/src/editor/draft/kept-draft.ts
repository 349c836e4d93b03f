import { useState } from "react";
import type { TaskDefinition } from "../../api/queries/task/task-catalog.ts";
import type { LoadedWorkflow } from "../../api/queries/workflow/workflow-draft.ts";
import { isSecret } from "../../forms/parameter-kinds.ts";
import { forgetInTab, keptInTab, useKeptInTab } from "../../hooks/kept-in-tab.ts";
import type { Draft, DraftTask } from "./draft.ts";
import { type PendingText, type RestoredDraft, useDraft } from "./draft-context.ts";
import { isDirty } from "./history.ts";

/**
 * Unsaved changes as this tab keeps them, so that a reload, a crash of the browser, or the end of a session doesn't lose them. They are
 * restored on top of the version that they were written on: what others have saved since then is merged as for any draft. Values of secrets
 * are left out; the author sees which ones they have to enter again.
 */
export interface KeptDraft extends RestoredDraft {
  /** The version that the changes are written on top of. */
  base: LoadedWorkflow;
  draft: Draft;
  pendingText?: PendingText;
}

type Catalog = ReadonlyMap<string, Pick<TaskDefinition, "spec">>;

const keyOf = (team: string, workflow: string) => `millrace-draft-${team}/${workflow}`;

/** @param loaded the workflow now: another one of the same name has nothing to do with the draft */
export function keptDraft(team: string, workflow: string, loaded: LoadedWorkflow): KeptDraft | undefined {
  const kept = keptInTab<Partial<KeptDraft>>(keyOf(team, workflow));
  const base = kept?.base?.data;
  // What another version of the interface kept may look different. A page that fails on it would fail again after each reload.
  const isWhole = isGraph(kept?.draft) && isGraph(base) && Array.isArray(kept.leftOut) && base.id === loaded.data.id;
  return isWhole ? (kept as KeptDraft) : undefined;
}

/**
 * Keeps the draft while it is unsaved.
 * @param isUnsaved false also for one that was sent for approval: the service has it
 * @returns a function that forgets it for good, for a page that is left without saving
 */
export function useKeptDraft(isUnsaved: boolean): () => void {
  const { team, workflow, loaded, history, pendingText, catalog, whyNotEdit } = useDraft();
  const { present, baseline } = history;
  const [isDiscarded, setDiscarded] = useState(false);
  const draftNow = (): KeptDraft | undefined => {
    // Only the definitions of tasks say what their secrets are. Where tasks can be changed, they are being loaded.
    if (catalog === undefined && present.tasks !== baseline.tasks) return undefined;
    // Code may have written anything, and where secrets are in it is not known.
    if (!isGraph(present)) return undefined;
    const known = catalog ?? new Map();
    const text = pendingText && !namesSecret(pendingText.text, known) && { pendingText };
    return { base: loaded, ...withoutSecrets(present, known), ...text, at: new Date().toISOString() };
  };
  const isChanged = isDirty(history) || pendingText !== undefined;
  // Who may not edit, for now or in an old version, changes nothing about it.
  const key = whyNotEdit === undefined ? keyOf(team, workflow) : undefined;
  useKeptInTab(key, isUnsaved && isChanged && !isDiscarded ? draftNow : undefined);
  return () => {
    forgetInTab(keyOf(team, workflow));
    setDiscarded(true);
  };
}

/** The draft without the values that the service would store encrypted, and where they were. */
export function withoutSecrets(draft: Draft, catalog: Catalog): Pick<KeptDraft, "draft" | "leftOut"> {
  const leftOut: string[] = [];
  return { draft: withoutIn(draft, catalog, [], leftOut) as Draft, leftOut };
}

type Graph = Pick<Draft, "params" | "tasks">;

/** Whether its lists are lists of what has a name, also in nested workflows. */
function isGraph(value: unknown): value is Partial<Graph> & { id?: unknown } {
  if (typeof value !== "object" || value === null) return false;
  const { params = [], tasks = [] } = value as { params?: unknown; tasks?: unknown };
  return (
    areNamed(params) && areNamed(tasks) && tasks.every(({ params: given, workflow }) => areNamed(given ?? []) && isGraph(workflow ?? {}))
  );
}

function areNamed(list: unknown): list is ({ name: string } & Record<string, unknown>)[] {
  return Array.isArray(list) && list.every((each) => typeof (each as { name?: unknown } | null)?.name === "string");
}

/** A reference names a secret, and is none. */
const reference = /^\$\([^()]*\)$/;

function withoutIn(graph: Graph, catalog: Catalog, path: readonly string[], leftOut: string[]): Graph {
  const emptied = <Param extends { name: string }>(param: Param, members: readonly (keyof Param)[], at: readonly string[]): Param => {
    const given = members.filter((member) => isValue(param[member]));
    if (given.length > 0) leftOut.push([...at, param.name].join(" › "));
    return { ...param, ...Object.fromEntries(given.map((member) => [member, ""])) };
  };
  const params = graph.params.map((param) => (isSecret(param) ? emptied(param, ["value", "default"], path) : param));
  const tasks = graph.tasks.map((task) => {
    const at = [...path, task.name];
    const secrets = secretsOf(task, catalog);
    const given = task.params?.map((param) => (param.hiddenValue || secrets.has(param.name) ? emptied(param, ["value"], at) : param));
    const { workflow } = task as { workflow?: Partial<Graph> | null };
    const nested = workflow && withoutIn({ ...workflow, params: workflow.params ?? [], tasks: workflow.tasks ?? [] }, catalog, at, leftOut);
    return { ...task, ...(given && { params: given }), ...(nested && { workflow: nested }) } as DraftTask;
  });
  return { ...graph, params, tasks };
}

function secretsOf(task: DraftTask, catalog: Catalog): Set<string> {
  const declared = catalog.get(task.taskRef ?? "")?.spec?.params ?? [];
  return new Set(declared.filter(isSecret).map(({ name }) => name));
}

/** A text that can't be read: if it has a parameter with the name of any secret, it isn't kept. */
function namesSecret(text: string, catalog: Catalog): boolean {
  const names = new Set([...catalog.values()].flatMap(({ spec }) => (spec?.params ?? []).filter(isSecret).map(({ name }) => name)));
  if (/\btype["']?\s*:\s*["']?(?:password|secret)\b/i.test(text)) return true;
  return [...text.matchAll(/\bname["']?\s*:\s*["']?([^\s"',}]+)/g)].some(([, name = ""]) => names.has(name));
}

function isValue(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "" && !reference.test(String(value));
}
