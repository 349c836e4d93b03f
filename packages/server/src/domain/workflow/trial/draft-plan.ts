import { findReferences } from "../../../core/parameter/references.ts";
import { isReadMark, isSecretParam, secretMask } from "../../../core/parameter/secret-params.ts";
import { newTasksOf } from "../../../core/task/former-tasks.ts";
import { compilePlan, type Plan } from "../../../core/workflow/plan.ts";
import { type DocumentTask, documentOf, documentTask, type WorkflowDocument } from "../../../core/workflow/workflow-document.ts";
import type { Queryable } from "../../../store/database/database.ts";
import { type FoundTask, type ResolvedTasks, resolveTasks } from "../resolve-tasks.ts";
import type { CheckMode } from "../save-context.ts";
import type { DraftedWorkflow } from "./drafted-workflow.ts";

/** Faults are ignored here: a save reports them. */
const lenient: CheckMode = { refuse: () => undefined, holdsTasks: false };

/**
 * A plan of what an author has on the screen, finished or not: enough to resolve references, with all secrets masked. Its nodes are in the
 * order of the document; start and end come after them if it has none.
 */
export async function draftPlan(
  db: Queryable,
  team: { id: string; name: string },
  { whole }: DraftedWorkflow,
): Promise<{ plan: Plan; document: WorkflowDocument }> {
  const { document, definitions } = await resolveTasks(db, team, documentOf(whole), lenient);
  const { asking } = newTasksOf(whole);
  const tasks = document.tasks.map((task) => maskSecrets(task, definitions, asking.get(task.name) ?? []));
  const missing = (["start", "end"] as const).filter((type) => !tasks.some((task) => task.type === type));
  const markers = missing.map((type) => documentTask({ name: unusedName(type, tasks), type }));
  const nodes = [...tasks, ...markers].map(({ loop, ...task }) => ({
    ...task,
    // A loop without a condition is unfinished.
    ...((loop?.while || loop?.until) && { loop }),
    ...{ type: task.type ?? "template", dependencies: [] },
  }));
  const plan = compilePlan({ ...document, tasks: nodes } as Parameters<typeof compilePlan>[0], ({ name }) => planTask(definitions, name));
  return { plan, document: { ...document, tasks, params: maskDefaults(document.params) } };
}

/** Tasks with the same name can't be distinguished. */
function unusedName(type: string, tasks: readonly DocumentTask[]): string {
  return tasks.some(({ name }) => name === type) ? `${type} (added)` : type;
}

function planTask(definitions: ResolvedTasks["definitions"], node: string) {
  const found: FoundTask | undefined = definitions.get(node);
  if (!found) return undefined;
  const { id, versionId, version, name, type, displayName, spec, teamId } = found;
  return {
    id,
    versionId,
    version,
    name,
    type,
    displayName: displayName ?? name,
    spec: { ...spec },
    annotations: {},
    isGlobal: teamId === null,
  };
}

/**
 * As if they were encrypted: text that is typed into a draft is in clear. @param kept those that a save takes over from the stored version
 */
function maskSecrets(task: DocumentTask, definitions: ResolvedTasks["definitions"], kept: readonly string[]): DocumentTask {
  const secrets = new Set((definitions.get(task.name)?.spec?.params ?? []).filter(isSecretParam).map(({ name }) => name));
  if (secrets.size === 0) return task;
  const params = task.params.map((param) => {
    const isRef = findReferences(param.value).length > 0;
    const isEmpty = (param.value ?? "") === "" && !kept.includes(param.name);
    return !secrets.has(param.name) || isRef || isEmpty ? param : { name: param.name, value: secretMask, hiddenValue: true };
  });
  return { ...task, params };
}

/** A secret that was read is empty and has a mark; a save keeps the stored one. */
function maskDefaults(params: WorkflowDocument["params"]): WorkflowDocument["params"] {
  return params.map((param) =>
    isSecretParam(param) && isReadMark(param) ? { ...param, type: "password", default: secretMask, value: secretMask } : param,
  );
}
