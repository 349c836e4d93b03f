import type { AbstractParam } from "@millrace/contract/common.ts";
import type { WorkflowResult, WorkflowResultType } from "@millrace/contract/workflow/workflow.ts";
import type { ErrorDetail } from "../../base/error/app-error.ts";
import { nearestName } from "../../base/text/nearest-name.ts";
import { shorten } from "../../base/text/shorten.ts";
import { checkParamValue } from "../parameter/parameters-check.ts";
import { findReferences } from "../parameter/references.ts";
import { isSecretParam } from "../parameter/secret-params.ts";
import type { DocumentTask, WorkflowDocument } from "./workflow-document.ts";

/**
 * A task that runs another workflow, seen as a call: the workflow and its version, the values of its parameters, and the results that it
 * returns. Everything written without references is checked when the calling workflow is saved.
 */

/** Parameters of the task itself; all others are parameters of the called workflow. */
export const callParams: ReadonlySet<string> = new Set(["workflowRef", "workflowVersion", "wait"]);

/** Parameters that events set, whether the workflow declares them or not. */
const eventParams: ReadonlySet<string> = new Set(["event", "data"]);

/** The called workflow, in the version that runs. */
export interface ChildWorkflow {
  name: string;
  /** Undefined: the version that is being saved. */
  version: number | undefined;
  params: readonly AbstractParam[];
  /** The parameter of a batch, which gets a list with one event, so it needs no value. */
  batchParam?: string | undefined;
  /** The known results. */
  results: readonly WorkflowResult[];
  /** The workflow has no results besides these. */
  hasAllResults: boolean;
}

/** What a document says about a call; undefined members contain references, so they are known only in a run. */
export interface ChildCall {
  ref: string | undefined;
  /** A number, `latest`, or a fault. */
  version: number | "latest" | { fault: string } | undefined;
  waits: boolean | undefined;
}

export function readCall({ params }: Pick<DocumentTask, "params">): ChildCall {
  const given = (name: string) => params.find((param) => param.name === name)?.value;
  const isOpen = (value: unknown) => findReferences(value).length > 0;
  const [ref, version, wait] = [given("workflowRef"), given("workflowVersion"), given("wait")];
  const read = readVersion(version);
  return {
    ref: typeof ref === "string" && !isOpen(ref) ? ref.trim().toLowerCase() : undefined,
    version: isOpen(version) ? undefined : typeof read === "string" ? { fault: read } : (read ?? "latest"),
    waits: isOpen(wait) ? undefined : isTrue(wait),
  };
}

/** @returns undefined for the latest version; a text describes a fault */
export function readVersion(value: unknown): number | string | undefined {
  const text = typeof value === "string" ? value.trim().toLowerCase() : value;
  if (text === undefined || text === null || text === "" || text === "latest") return undefined;
  const number = Number(text);
  const isVersion = (typeof text === "string" ? /^\d+$/.test(text) : true) && Number.isInteger(number) && number >= 1 && number < 2 ** 31;
  return isVersion ? number : `is ${shorten(JSON.stringify(value), 100)}; it must be the number of a version, or latest`;
}

export function isTrue(value: unknown): boolean {
  return value === true || (typeof value === "string" && value.toLowerCase() === "true");
}

/** Unknown parameter names, values of the wrong type, and missing required parameters. @param path of the task */
export function callFaults({ params }: Pick<DocumentTask, "params">, path: string, child: ChildWorkflow): ErrorDetail[] {
  const { name, version, batchParam } = child;
  const whose = `workflow ${name}${version === undefined ? "" : ` (version ${version})`}`;
  const declared = new Map(child.params.map((param) => [param.name, param]));
  const given = new Set(params.filter(({ value }) => !isEmpty(value)).map((param) => param.name));
  const wrong = params.flatMap((param, index): ErrorDetail[] => {
    if (callParams.has(param.name) || eventParams.has(param.name)) return [];
    const known = declared.get(param.name);
    if (known === undefined) {
      const meant = nearestName(param.name, [...declared.keys()]);
      const hint = meant === undefined ? listOf([...declared.keys()]) : `did you mean ${meant}?`;
      return [{ path: `${path}/params/${index}/name`, message: `${whose} has no parameter "${shorten(param.name, 100)}"; ${hint}` }];
    }
    if (isEmpty(param.value) || isSecretParam(known) || findReferences(param.value).length > 0) return [];
    const fault = checkParamValue(known, param.value);
    return fault === undefined
      ? []
      : [{ path: `${path}/params/${index}/value`, message: `parameter "${param.name}" of ${whose} ${fault}` }];
  });
  const missing = child.params.filter(
    (param) =>
      param.required &&
      isEmpty(param.default ?? param.value) &&
      !given.has(param.name) &&
      param.name !== batchParam &&
      !isHidden(params, param.name),
  );
  const needed = missing.map((param) => ({
    path: `${path}/params`,
    message: `parameter "${param.name}" of ${whose} is required and has no value`,
  }));
  return [...wrong, ...needed];
}

/** A secret sent without a value keeps its stored value. */
function isHidden(params: DocumentTask["params"], name: string): boolean {
  return params.some((param) => param.name === name && param.hiddenValue === true);
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? "it declares none" : `it has ${names.slice(0, 10).join(", ")}`;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** The results that runs of a workflow can have: the declared ones, or else those that its tasks set. */
export function resultsOfWorkflow({
  results,
  tasks,
}: Pick<WorkflowDocument, "results" | "tasks">): Pick<ChildWorkflow, "results" | "hasAllResults"> {
  if (results) return { results, hasAllResults: true };
  const outputs = tasks.flatMap(({ type, params }) =>
    type === "setwfproperty" ? [params.find(({ name }) => name === "output")?.value] : [],
  );
  const names = outputs.filter(
    (output): output is string => typeof output === "string" && output !== "" && findReferences(output).length === 0,
  );
  return { results: [...new Set(names)].map((name) => ({ name })), hasAllResults: names.length === outputs.length };
}

/** Why a workflow that declares its results can't have this one. */
export function runResultFault(declared: readonly WorkflowResult[], { name, value }: { name: string; value: unknown }): string | undefined {
  const result = declared.find((one) => one.name === name);
  if (result === undefined) return `The workflow declares no result "${shorten(name, 100)}"; ${listOf(declared.map((one) => one.name))}`;
  if (result.type == null || value === null || fits(result.type, value)) return undefined;
  return `Result "${name}" is declared as ${result.type}, but is ${shorten(JSON.stringify(value) ?? "", 100)}`;
}

function fits(type: WorkflowResultType, value: unknown): boolean {
  if (type === "text") return typeof value === "string";
  if (type === "array") return Array.isArray(typeof value === "string" ? parsed(value) : value);
  return checkParamValue({ name: "", type }, value) === undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
