import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type TaskDefinition, taskVersionQuery } from "../../api/queries/task/task-catalog.ts";
import type { LoadedWorkflow } from "../../api/queries/workflow/workflow-draft.ts";
import { isSecret } from "../../forms/parameter-kinds.ts";
import { forgetInTab, keptInTab, useKeptInTab } from "../../hooks/kept-in-tab.ts";
import { type Draft, type DraftTask, sameJson } from "./draft.ts";
import { type RestoredDraft, useDraft } from "./draft-context.ts";
import { isDirty } from "./history.ts";

/**
 * Unsaved changes as this tab keeps them, so that a reload, a crash of the browser, or the end of a session doesn't lose them. They are
 * restored on top of the version that they were written on: what others have saved since then is merged as for any draft. Values of secrets
 * are left out; the author sees which ones they have to enter again. Code that can't be read yet is not kept, since nobody can tell what of it
 * is a secret.
 */
export interface KeptDraft extends RestoredDraft {
  /** The version that the changes are written on top of. */
  base: LoadedWorkflow;
  draft: Draft;
}

type Definition = Pick<TaskDefinition, "spec">;
type Catalog = ReadonlyMap<string, Definition>;

const keyOf = (team: string, workflow: string) => `millrace-draft-${team}/${workflow}`;

/** @param id of the workflow: one that was deleted may have had the same name */
export function keptDraft(team: string, workflow: string, id: string | null | undefined): KeptDraft | undefined {
  const kept = keptInTab<KeptDraft>(keyOf(team, workflow));
  return kept && isKeptDraft(kept) && (kept.base.data.id ?? null) === (id ?? null) ? kept : undefined;
}

/** What another release of the interface has kept may have another form. It would break the page at each reload. */
function isKeptDraft(kept: Partial<KeptDraft> | undefined): boolean {
  const isGraph = (graph: Partial<Graph> | null | undefined) => [graph?.params ?? [], graph?.tasks ?? []].every(isListOfNamed);
  const { base, draft, leftOut, at } = kept ?? {};
  const isRead = typeof base?.data?.name === "string" && isGraph(base.data as Graph) && draft?.params != null && draft.tasks != null;
  return isRead && isGraph(draft) && Array.isArray(leftOut) && typeof at === "string";
}

/**
 * Keeps the draft while it is unsaved.
 * @param isUnsaved false also for one that was sent for approval: the service has it
 * @returns a function that forgets it for good, for a page that is left without saving
 */
export function useKeptDraft(isUnsaved: boolean): () => void {
  const { team, workflow, loaded, history, catalog, whyNotEdit, restored } = useDraft();
  const client = useQueryClient();
  const { present, baseline } = history;
  const [isDiscarded, setDiscarded] = useState(false);
  const draftNow = (): KeptDraft | undefined => {
    // Only the definitions of tasks say what their secrets are. Where tasks can be changed, they are being loaded.
    if (catalog === undefined && present.tasks !== baseline.tasks) return undefined;
    const inVersion = (name: string, version: number) => {
      const latest = catalog?.get(name);
      if (latest === undefined || latest.version === version) return latest;
      return client.getQueryData<TaskDefinition>(taskVersionQuery(team, name, version, latest.isOfTeam).queryKey);
    };
    const without = withoutSecrets(present, catalog ?? new Map(), { baseline, inVersion, asked: restored?.leftOut ?? [] });
    return { base: loaded, ...without, at: new Date().toISOString() };
  };
  // Who may not edit, for now or in an old version, changes nothing about it.
  const key = whyNotEdit === undefined ? keyOf(team, workflow) : undefined;
  useKeptInTab(key, isUnsaved && isDirty(history) && !isDiscarded ? draftNow : undefined);
  return () => {
    forgetInTab(keyOf(team, workflow));
    setDiscarded(true);
  };
}

interface Known {
  /** The saved workflow: what it shows is no secret. */
  baseline?: Partial<Graph>;
  /** The definition of a task in another version than the newest, if it is known. */
  inVersion?: (name: string, version: number) => Definition | undefined;
  /** Secrets that were left out before, and are to be entered again until they are. */
  asked?: readonly string[];
}

/** The draft without the values that the service would store encrypted, and where they were. */
export function withoutSecrets(draft: Draft, catalog: Catalog, known: Known = {}): Pick<KeptDraft, "draft" | "leftOut"> {
  const leftOut: string[] = [];
  return { draft: withoutIn(draft, known.baseline, { ...known, catalog, leftOut }, []) as Draft, leftOut };
}

type Graph = Pick<Draft, "params" | "tasks">;
type Inside = Known & { catalog: Catalog; leftOut: string[] };

/** A reference names a secret, and is none. Others that the service knows are left out, too: the author enters them again. */
const reference = /^\$\((?:params|tasks)[.[][^()\s]*\)$/;

function withoutIn(graph: Graph, before: Partial<Graph> | undefined, inside: Inside, path: readonly string[]): Graph {
  const { asked = [], leftOut } = inside;
  const emptied = <Param extends { name: string }>(param: Param, members: readonly (keyof Param)[], at: readonly string[]): Param => {
    const place = [...at, param.name].join(" › ");
    const given = members.filter((member) => isValue(param[member]));
    if (given.length > 0 || (asked.includes(place) && members.every((member) => (param[member] ?? "") === ""))) leftOut.push(place);
    return { ...param, ...Object.fromEntries(given.map((member) => [member, ""])) };
  };
  const params = namedIn(graph.params).map((param) => (isSecret(param) ? emptied(param, ["value", "default"], path) : param));
  const tasks = namedIn(graph.tasks).map((task) => {
    const at = [...path, task.name];
    const saved = namedIn(before?.tasks).find(({ name }) => name === task.name);
    const mayBeSecret = secretsOf(task, saved, inside);
    const given = namedIn(task.params).map((param) => (param.hiddenValue || mayBeSecret(param) ? emptied(param, ["value"], at) : param));
    const { workflow } = task as { workflow?: Graph | null };
    const isNested = typeof workflow === "object" && workflow !== null;
    const nested = isNested && withoutIn(workflow, (saved as { workflow?: Graph } | undefined)?.workflow, inside, at);
    return { ...task, ...(task.params != null && { params: given }), ...(workflow != null && { workflow: nested || null }) } as DraftTask;
  });
  return { ...graph, ...(graph.params != null && { params }), ...(graph.tasks != null && { tasks }) };
}

/** In code, anything may be written in place of a list; what is none of these is not kept, since it may be a secret. */
function namedIn<Named extends { name: string }>(list: readonly Named[] | null | undefined): Named[] {
  return Array.isArray(list) ? list.filter((each) => isListOfNamed([each])) : [];
}

function isListOfNamed(list: unknown): boolean {
  return Array.isArray(list) && list.every((each) => typeof (each as { name?: unknown } | null)?.name === "string");
}

/** Of a task whose definition is not known, any value may be one that was not saved before. */
function secretsOf(task: DraftTask, saved: DraftTask | undefined, { catalog, inVersion }: Inside) {
  const { taskRef, taskVersion } = task;
  // The name of a task may have that of its team before it.
  const name = typeof taskRef === "string" ? taskRef.slice(taskRef.lastIndexOf("/") + 1) : "";
  const isNewest = typeof taskVersion !== "number" || inVersion === undefined;
  const definition = isNewest ? catalog.get(name) : inVersion(name, taskVersion);
  const isSaved = (param: { name: string; value?: unknown }) =>
    namedIn(saved?.params).some((one) => one.name === param.name && sameJson(one.value, param.value));
  if (definition === undefined) return (param: { name: string; value?: unknown }) => !isSaved(param);
  const secrets = new Set((definition.spec?.params ?? []).filter(isSecret).map((param) => param.name));
  return (param: { name: string }) => secrets.has(param.name);
}

function isValue(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "" && !(typeof value === "string" && reference.test(value));
}
