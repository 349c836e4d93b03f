import { AppError } from "../../base/error/app-error.ts";
import { flatMapSteps, inSlices, type Steps } from "../../base/process/slices.ts";
import { nearestName } from "../../base/text/nearest-name.ts";
import { type CheckedDefinition, checkReferencesSteps, type ReferenceContext } from "../../core/parameter/check-references.ts";
import { checkParamDefault } from "../../core/parameter/parameters-check.ts";
import { undeclaredParams } from "../../core/task/tekton/task-warnings.ts";
import { callParams } from "../../core/workflow/child-call.ts";
import type { DocumentTask } from "../../core/workflow/workflow-document.ts";
import type { CheckedCall } from "./calls/find-calls.ts";
import { findActionWarnings } from "./check-actions.ts";
import type { FoundTask, ResolvedTasks } from "./resolve-tasks.ts";
import type { CheckContext, CheckMode, DocumentWarning } from "./save-context.ts";

/**
 * Checks what a document refers to, and what its tasks require. A reference that can't be resolved is refused; one that might not be gets a
 * warning. A template has no parameters around it.
 * @throws WORKFLOW_UNRESOLVED_REFERENCE
 */
export async function checkNames(
  context: Pick<CheckContext, "warnings"> & Partial<Pick<CheckContext, "parameters">>,
  { document, definitions }: Pick<ResolvedTasks, "document" | "definitions">,
  { refuse }: CheckMode,
  calls: readonly CheckedCall[] = [],
  outside?: ReferenceContext["outside"],
): Promise<void> {
  const checked = checkedDefinitions(definitions);
  for (const call of calls) addResults(checked, call);
  const { problems, warnings } = await inSlices(
    checkReferencesSteps({ document, definitions: checked, around: context.parameters, outside }),
  );
  context.warnings.push(...warnings.map((warning): DocumentWarning => ({ code: "UNRESOLVED_REFERENCE", ...warning })));
  const known = new Set(calls.filter(({ child }) => child !== undefined).map(({ task }) => task));
  for (const find of [misspeltParams, unfitValues, findActionWarnings])
    context.warnings.push(...(await inSlices(find(document.tasks, checked, known))));
  const [first] = problems;
  if (first) refuse(new AppError("WORKFLOW_UNRESOLVED_REFERENCE", [first.message], { details: problems }));
}

/** The results of the workflow that a task waits for are results of the task. */
function addResults(definitions: Map<string, CheckedDefinition>, { task, waits, child, version, isNested }: CheckedCall): void {
  const found = definitions.get(task);
  if (found === undefined) return;
  // A nested workflow makes the parameters that name another workflow unnecessary.
  const definition = isNested ? { ...found, params: found.params.filter(({ name }) => !callParams.has(name)) } : found;
  if (waits === false) {
    if (child)
      definitions.set(task, { ...definition, results: [{ name: "workflowRunRef" }], hasAllResults: 'without "wait" it gives no other' });
    return;
  }
  if (child === undefined) return;
  const results = [...definition.results, ...child.results];
  const whose = `workflow ${child.name}${typeof version === "number" ? ` (version ${version})` : ""} gives no other`;
  definitions.set(task, { ...definition, results, ...(waits && child.hasAllResults && { hasAllResults: whose }) });
}

/** Types that the engine runs itself and whose parameters are fixed: it passes no others on. */
const fixedTypes: ReadonlySet<string | undefined> = new Set([
  ...["approval", "manual", "decision", "eventwait", "sleep", "acquirelock", "releaselock", "setwfproperty", "setwfstatus"],
]);
/** The engine takes this name, too, although the shipped task does not declare it. */
const otherNames: ReadonlySet<string> = new Set(["numberOfApprovals"]);

/**
 * Values for parameters that the definition does not have. If such a name nearly matches a parameter without a value, it was meant for that
 * one. Scripts and containers get the others all the same; a task of the engine does nothing with them. Definitions without any parameter
 * say nothing: some products leave those of the engine's tasks to their editor.
 *
 * @param known tasks that run a workflow whose parameters are known
 */
function misspeltParams(
  tasks: readonly DocumentTask[],
  definitions: ReadonlyMap<string, CheckedDefinition>,
  known: ReadonlySet<string>,
): Steps<DocumentWarning[]> {
  return flatMapSteps(tasks, ({ name: task, type, params }, index) => {
    const definition = definitions.get(task);
    if (definition === undefined || known.has(task)) return [];
    const given = new Set(params.map(({ name }) => name));
    const declared = new Set(definition.params.map(({ name }) => name));
    const open = [...declared].filter((name) => !given.has(name));
    const isFixed = declared.size > 0 && fixedTypes.has(type);
    return params.flatMap(({ name }, at): DocumentWarning[] => {
      if (declared.has(name)) return [];
      const meant = nearestName(name, open);
      const isUsed = !isFixed || otherNames.has(name);
      if (meant === undefined && isUsed) return [];
      const remedy =
        meant === undefined ? `its value has no effect. It has ${[...declared].slice(0, 20).join(", ")}` : `did you mean ${meant}?`;
      const message = `task ${definition.name} has no parameter "${name}"; ${remedy}`;
      return [{ code: "UNKNOWN_MEMBER", path: `/tasks/${index}/params/${at}/name`, message }];
    });
  });
}

/** Parameters that the engine's own tasks read as a number, although their definitions show them as text; and those that they require. */
const numbers: Readonly<Record<string, string>> = { sleep: "duration", acquirelock: "timeout" };
const needed: Readonly<Record<string, string>> = { decision: "value", setwfproperty: "output" };

/** Literal values that do not fit the parameter's definition: the task would most likely fail. */
function unfitValues(tasks: readonly DocumentTask[], definitions: ReadonlyMap<string, CheckedDefinition>): Steps<DocumentWarning[]> {
  return flatMapSteps(tasks, ({ name: task, type, params }, index) => {
    const declared = new Map(definitions.get(task)?.params.map((param) => [param.name, param]));
    const unfit = (path: string, message: string): DocumentWarning => ({
      code: "INVALID_VALUE",
      path: `/tasks/${index}/params${path}`,
      message,
    });
    const wrong = params.flatMap(({ name, value }, at) => {
      const param = numbers[type ?? ""] === name ? { name, type: "number" } : declared.get(name);
      const fault = param && checkParamDefault({ ...param, default: param.type === "boolean" ? lowerCase(value) : value });
      return fault === undefined ? [] : [unfit(`/${at}/value`, `parameter "${name}" ${fault}`)];
    });
    const missing = needed[type ?? ""];
    const isGiven = [...params.filter(({ name }) => name === missing), declared.get(missing ?? "")].some((one) => hasValue(one));
    if (missing !== undefined && !isGiven)
      wrong.push(unfit("", `parameter "${missing}" has no value, but a task of type ${type} needs one`));
    return wrong;
  });
}

function lowerCase(value: unknown): unknown {
  return typeof value === "string" ? value.toLowerCase() : value;
}

function hasValue(one: { value?: unknown; default?: unknown } | undefined): boolean {
  return [one?.value, one?.default].some((value) => value !== undefined && value !== null && value !== "");
}

/** Each definition once, however many tasks use it. */
function checkedDefinitions(definitions: ReadonlyMap<string, FoundTask>): Map<string, CheckedDefinition> {
  const byVersion = new Map<string, CheckedDefinition>();
  const checked = ({ versionId, name, spec }: FoundTask): CheckedDefinition => {
    const known = byVersion.get(versionId) ?? {
      name,
      params: spec?.params ?? [],
      results: spec?.results ?? [],
      workspaces: spec?.workspaces ?? [],
      undeclared: spec ? undeclaredParams(spec, name) : [],
    };
    byVersion.set(versionId, known);
    return known;
  };
  return new Map([...definitions].map(([task, definition]) => [task, checked(definition)]));
}
