import { actionFieldNames, opensAction } from "@millrace/contract/action/action-fields.ts";
import type { AbstractParam } from "@millrace/contract/common.ts";
import { atOnce, type Steps } from "../../base/process/slices.ts";
import { isCodehostToken } from "../inbound/codehost-token.ts";
import { type Ancestors, ancestorsSteps } from "../workflow/checks/check-graph-cycle.ts";
import { type NodeTurn, turnsOf } from "../workflow/node-turn.ts";
import type { DocumentTask, WorkflowDocument } from "../workflow/workflow-document.ts";
import { workspaceType } from "../workflow/workflow-document-checks.ts";
import { findKept } from "./misspelt-references.ts";
import { contextParameters } from "./parameters-available.ts";
import {
  callbackParameter,
  endTask,
  findReferences,
  outcomeNames,
  type ParamReference,
  type PlaceReference,
  previousResults,
  type Reference,
  type ResultReference,
} from "./references.ts";
import { isSecretParam } from "./secret-params.ts";

/**
 * References of a workflow, examined when it is saved: those that can't lead anywhere are problems, since a task whose reference
 * leads unresolved fails when it starts; those of which only a run can say are warnings. Where the workflow or the node keeps
 * such references as they are written (`unresolvedReferences: keep`), all are warnings.
 */

/** A problem or a warning for the author. */
export interface Finding {
  /** JSON pointer into the workflow. */
  path: string;
  message: string;
}

export interface Findings {
  problems: Finding[];
  warnings: Finding[];
}

/** The parts of a task definition that are needed. */
export interface CheckedDefinition {
  name: string;
  params: readonly AbstractParam[];
  results: readonly { name: string }[];
  /** Why it can't have further results, for people; absent: it may have some. */
  hasAllResults?: string;
  workspaces: readonly { name: string; optional?: boolean }[];
  /** Parameters that its steps refer to but that it does not declare. */
  undeclared: readonly string[];
}

export interface ReferenceContext {
  document: WorkflowDocument;
  /** By the name of the task. */
  definitions: ReadonlyMap<string, CheckedDefinition>;
  /**
   * Names of parameters that currently exist; undefined for a template, which belongs to no team: only a workflow created from it has them.
   */
  around: { global: ReadonlySet<string>; team: ReadonlySet<string> } | undefined;
  /** For a nested workflow: the names that exist outside of it, and the task that contains it. */
  outside?: { task: string; tasks: ReadonlySet<string>; params: ReadonlySet<string>; isLoop: boolean; isForEach: boolean } | undefined;
}

/** Types of tasks whose results are exactly the declared ones, or none. A script can have undeclared results only if it declares none. */
const staticTypes = new Set([
  "start",
  "end",
  "template",
  "decision",
  "sleep",
  "acquirelock",
  "releaselock",
  "setwfstatus",
  "setwfproperty",
]);
/** Parameters that events set, whether the workflow declares them or not. */
const eventParameters = new Set(["event", "data"]);
const itemParameters = new Set(["item", "item-index"]);
/** Enough to show at once. */
const maxFindings = 100;

/** @returns at most 100 of each kind, in the order of the tasks */
export function checkReferences(context: ReferenceContext): Findings {
  return atOnce(checkReferencesSteps(context));
}

/** The same in steps of one task each. */
export function* checkReferencesSteps(context: ReferenceContext): Steps<Findings> {
  const { document } = context;
  const known: Known = {
    ...context,
    workflow: new Set(document.params.map(({ name }) => name)),
    context: new Set<string>([...contextParameters, callbackParameter]),
    byName: new Map(document.tasks.map((task, index) => [task.name, index])),
    ancestors: yield* ancestorsSteps(document.tasks),
    turns: turnsOf(document.tasks),
    workspaces: new Map(document.workspaces.map((workspace) => [workspaceType(workspace), workspace.name])),
  };
  const findings: Findings = { problems: [], warnings: [] };
  const sort = (checked: readonly CheckedReference[], keeps: boolean) => {
    for (const { isCertain, ...finding } of checked) {
      const list = isCertain && !keeps ? findings.problems : findings.warnings;
      if (list.length < maxFindings) list.push(finding);
    }
  };
  const keepsAll = document.unresolvedReferences === "keep";
  sort(defaultFindings(known), keepsAll);
  for (const [index, task] of document.tasks.entries()) {
    const own = task["unresolvedReferences"] as string | undefined;
    sort(taskFindings(known, task, index), own == null ? keepsAll : own === "keep");
    yield;
  }
  return findings;
}

interface Known extends ReferenceContext {
  workflow: ReadonlySet<string>;
  context: ReadonlySet<string>;
  byName: ReadonlyMap<string, number>;
  ancestors: Ancestors;
  /** Of each task. */
  turns: readonly NodeTurn[];
  /** The name of the workspace of each type. */
  workspaces: ReadonlyMap<string | undefined, string>;
}

interface CheckedReference extends Finding {
  /** It can never be resolved, in any run. */
  isCertain: boolean;
}

function taskFindings(known: Known, task: DocumentTask, index: number): CheckedReference[] {
  const path = `/tasks/${index}`;
  const texts: [string, unknown][] = [
    ...task.params.map(({ value }, at): [string, unknown] => [`${path}/params/${at}/value`, value]),
    ...(task.forEach ? [[`${path}/forEach/items`, task.forEach.items] as [string, unknown]] : []),
    ...(["while", "until"] as const).map((kind): [string, unknown] => [`${path}/loop/${kind}/value`, task.loop?.[kind]?.value]),
  ];
  const ofTexts = texts.flatMap(([at, value]) => valueFindings(at, value, (reference) => whyUnresolved(known, task, index, reference)));
  return [...ofTexts, ...conditionFindings(task, path), ...missingFindings(known, task, path)];
}

/** Findings for one value: references that can't be resolved, and text that stays as written. */
function valueFindings(path: string, value: unknown, whyUnresolved: (reference: Reference) => Why | undefined): CheckedReference[] {
  const unresolved = findReferences(value).flatMap((reference): CheckedReference[] => {
    const finding = whyUnresolved(reference);
    return finding === undefined ? [] : [{ path, isCertain: finding.isCertain, message: `${reference.text}: ${finding.why}` }];
  });
  return [
    ...unresolved,
    ...findKept(value).map(({ text, why }): CheckedReference => ({ path, isCertain: false, message: `${text} ${why}` })),
  ];
}

/** Conditions are patterns; references in them are not replaced. */
function conditionFindings({ dependencies }: DocumentTask, path: string): CheckedReference[] {
  return dependencies.flatMap(({ decisionCondition }, at) =>
    findReferences(decisionCondition).map(({ text }) => ({
      path: `${path}/dependencies/${at}/decisionCondition`,
      isCertain: false,
      message: `${text} is not replaced in a condition, which is a pattern; refer to it in the parameter "value" of the decision`,
    })),
  );
}

/**
 * Defaults of the workflow's parameters, which are resolved when a run is submitted. Secrets are left out, so that no message repeats them.
 */
function defaultFindings(known: Known): CheckedReference[] {
  return known.document.params.flatMap((param, index) => {
    if (isSecretParam(param)) return [];
    const member = param.default == null ? "value" : "default";
    return valueFindings(`/params/${index}/${member}`, param[member], (reference) => whyNoDefault(known, param.name, reference));
  });
}

function whyNoDefault(known: Known, own: string, reference: Reference): Why | undefined {
  if (reference.kind === "result")
    return certain("no task has run when the parameters of a run are set; refer to it in a parameter of a task");
  if (reference.kind === "place")
    return isPlaceOfTask(reference) ? certain("only a task knows it; refer to it in a parameter of a task") : undefined;
  if (reference.layer === "loop") return undefined;
  const isItself = reference.name === own && (reference.layer === undefined || reference.layer === "workflow");
  if (!isItself) return whyNoParam(known, undefined, reference);
  const below = { ...known, workflow: new Set([...known.workflow].filter((name) => name !== own)) };
  const why = whyNoParam(below, undefined, reference);
  return why && { ...why, why: `the parameter refers to itself, and no lower level has one of that name` };
}

/** Paths of results and workspaces and the codehost token, which only executors know; other names may be meant for a shell. */
export function isPlaceOfTask({ words }: { words: readonly string[] }): boolean {
  const [root, , ...rest] = words;
  if (root === "context") return isCodehostToken(words);
  return (root === "results" || root === "workspaces") && ["path", "bound", "claim", "volume"].includes(rest.at(-1) ?? "");
}

interface Why {
  why: string;
  isCertain: boolean;
}

const certain = (why: string): Why => ({ why, isCertain: true });
const uncertain = (why: string): Why => ({ why, isCertain: false });

function whyUnresolved(known: Known, task: DocumentTask, index: number, reference: Reference): Why | undefined {
  if (reference.kind === "param" && reference.layer === "loop") return whyNoRound(known, task, reference);
  if (reference.kind === "param") return whyNoParam(known, task, reference);
  return reference.kind === "result" ? whyNoResult(known, index, reference) : whyNoPlace(known, task, reference);
}

/** @param task undefined: the reference is in a default of the workflow */
function whyNoParam(
  { workflow, around, context, outside }: Known,
  task: DocumentTask | undefined,
  { layer, name }: ParamReference,
): Why | undefined {
  const isItem = task?.forEach != null && itemParameters.has(name);
  if (layer === "global" || layer === "team") {
    if (around === undefined) return undefined;
    const whose = layer === "team" ? "the team has" : "there is";
    return around[layer].has(name) ? undefined : uncertain(`${whose} no ${layer} parameter "${name}" now`);
  }
  if (layer === "context") return context.has(name) ? undefined : certain(`runs have no parameter "${name}" of their own`);
  if (workflow.has(name) || eventParameters.has(name)) return undefined;
  const isOutside = outside?.params.has(name) || (outside?.isForEach && itemParameters.has(name));
  if (layer === undefined && (isItem || around?.team.has(name) || around?.global.has(name) || context.has(name))) return undefined;
  if (layer === undefined && around === undefined)
    return uncertain(`the template does not declare the parameter "${name}"; only a team or an instance that has it can run this`);
  if (outside && isOutside) return certain(whyOutside(outside, `parameter "${name}"`));
  const where =
    layer === undefined ? "the workflow does not declare it, and neither the team nor the instance has it" : "it is not declared";
  return certain(`there is no parameter "${name}" (${where}); declare it in the params of the workflow`);
}

function whyNoResult(
  { byName, document, definitions, ancestors, turns, outside }: Known,
  index: number,
  { task, name }: ResultReference,
): Why | undefined {
  if (task === endTask) return whyNoOutcome(turns, index, name);
  const at = byName.get(task);
  const source = at === undefined ? undefined : document.tasks[at];
  if (at === undefined || source === undefined)
    return certain(outside?.tasks.has(task) ? whyOutside(outside, `task "${task}"`) : `the workflow has no task "${task}"`);
  if (at === index) return certain("a task can't read its own results");
  if (ancestors.isBefore(index, at)) return certain(`task "${task}" comes after this one`);
  if (!ancestors.isBefore(at, index))
    return uncertain(`task "${task}" does not run before this one, so it may not have ended; add a dependency`);
  const declared = resultsOf(source, definitions.get(task));
  if (declared === undefined || declared.includes(name)) return undefined;
  const list = declared.length === 0 ? "it declares none" : `it has ${declared.slice(0, 10).join(", ")}`;
  const closed = definitions.get(task)?.hasAllResults;
  if (closed !== undefined) return certain(`task "${task}" has no result "${name}"; ${list}; ${closed}`);
  if (staticTypes.has(source.type ?? "") || (source.type === "script" && declared.length > 0))
    return certain(`task "${task}" has no result "${name}"; ${list}`);
  return uncertain(`task "${task}" does not declare the result "${name}" (${list}); whether it exists is known only during the run`);
}

/** In a task without a loop the text stays unchanged: it may mean something to a shell. */
function whyNoRound({ definitions, outside }: Known, task: DocumentTask, { name }: ParamReference): Why | undefined {
  if (!task.loop && outside?.isLoop) return certain(whyOutside(outside, "the loop"));
  if (!task.loop) return uncertain("the task has no loop, so the text does not change");
  if (!name.startsWith(previousResults)) return undefined;
  const declared = resultsOf(task, definitions.get(task.name));
  const result = name.slice(previousResults.length);
  if (declared === undefined || declared.includes(result)) return undefined;
  const isCertain = staticTypes.has(task.type ?? "") || (task.type === "script" && declared.length > 0);
  return { why: `task "${task.name}" does not declare the result "${result}"`, isCertain };
}

/** How a run ends is known only when its flow has ended. */
function whyNoOutcome(turns: Known["turns"], index: number, name: string): Why | undefined {
  if (turns[index] === "flow")
    return certain("only handlers and compensations know how the run ends, since they run when all other tasks are over");
  if ((outcomeNames as readonly string[]).includes(name)) return undefined;
  return certain(`the end of a run has no result "${name}"; it has ${outcomeNames.join(", ")}`);
}

function whyOutside({ task }: { task: string }, what: string): string {
  return `${what} is outside of the nested workflow; give the value in the params of task "${task}", and declare a parameter for it here`;
}

/** Names of the results; undefined if they can't be known. */
function resultsOf(task: DocumentTask, definition: CheckedDefinition | undefined): string[] | undefined {
  if (definition === undefined && task.type !== "start" && task.type !== "end") return undefined;
  const declared = [...task.results, ...(definition?.results ?? [])].map(({ name }) => name);
  if (opensAction(task.type)) {
    const fields = actionFieldNames(task.params);
    return fields && [...declared, ...fields];
  }
  if (task.type !== "setwfproperty") return declared;
  const output = task.params.find(({ name }) => name === "output")?.value;
  return typeof output === "string" && !output.includes("$(") ? [...declared, output] : undefined;
}

/** Paths of workspaces and results; other texts that look like one may be meant for a shell. */
function whyNoPlace({ workspaces, definitions }: Known, task: DocumentTask, { words }: PlaceReference): Why | undefined {
  const [root, name, member, ...rest] = words;
  if (root !== "workspaces" || name === undefined || rest.length > 0 || !["path", "bound"].includes(member ?? "")) return undefined;
  const bound = boundWorkspaces(workspaces, task);
  if (bound.has(name)) return undefined;
  if (definitions.get(task.name)?.workspaces.some((declared) => declared.name === name && declared.optional === true)) return undefined;
  return certain(`the task has no workspace "${name}"; declare it in the workspaces of the workflow`);
}

/** Names by which a task sees the workspaces of its workflow. */
function boundWorkspaces(workspaces: Known["workspaces"], task: DocumentTask): Set<string> {
  const names = new Set<string>();
  for (const [type, name] of workspaces) {
    if (type === undefined) continue;
    const bound = (task.workspaces ?? []).filter((binding) => workspaceType(binding) === type);
    for (const binding of bound.length > 0 ? bound : [{ name }]) names.add(binding.name);
  }
  return names;
}

/** What the definition requires but the task does not set. */
function missingFindings({ definitions, workspaces }: Known, task: DocumentTask, path: string): CheckedReference[] {
  const definition = definitions.get(task.name);
  if (!definition) return [];
  const given = new Set(task.params.map(({ name }) => name));
  const isEmpty = (value: unknown) => value === undefined || value === null || value === "";
  const filled = new Set(task.params.flatMap(({ name, value }) => (isEmpty(value) ? [] : [name])));
  const bound = boundWorkspaces(workspaces, task);
  // A password sent without a value keeps its stored value.
  const params = definition.params.filter(
    (param) => param.required === true && isEmpty(param.default) && param.type !== "password" && !filled.has(param.name),
  );
  return [
    ...params.map(({ name }) => ({
      path: `${path}/params`,
      isCertain: true,
      message: `parameter "${name}" of task ${definition.name} is required and has no value`,
    })),
    ...definition.undeclared
      .filter((name) => !given.has(name))
      .map((name) => ({
        path: `${path}/params`,
        isCertain: true,
        message: `a step of task ${definition.name} refers to the parameter "${name}", which the task does not declare and this node does not set`,
      })),
    ...definition.workspaces
      .filter(({ name, optional }) => optional !== true && !bound.has(name))
      .map(({ name }) => ({
        path: `${path}/workspaces`,
        isCertain: true,
        message: `task ${definition.name} needs the workspace "${name}": bind it here (workspaces: [{"name": "${name}", "type": "workflowrun"}]) and declare a workspace of that type on the workflow`,
      })),
  ];
}
