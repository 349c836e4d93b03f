import type { components } from "@millrace/client/schema.generated.ts";
import { useQuery } from "@tanstack/react-query";
import { workflowChoicesQuery } from "../../api/queries/schedules.ts";
import { type Workflow, workflowChangesQuery, workflowQuery } from "../../api/queries/workflow/workflows.ts";
import { t } from "../../texts/workflow/designer.ts";
import type { DraftTask } from "../draft/draft.ts";
import { hasReference, type NodeParam } from "./node-params.ts";

type Param = components["schemas"]["AbstractParam"];

/** Parameters of the task itself (packages/server/src/core/workflow/child-call.ts). */
const callParams: readonly string[] = ["workflowRef", "workflowVersion", "wait"];

/**
 * The parameters of a task that runs another workflow: a choice of workflows and versions, and the parameters of the chosen workflow. Until
 * that is known, and for other tasks, the declared parameters.
 */
export function useCalledParams(team: string, isCall: boolean, declared: readonly Param[], given: ReadonlyMap<string, NodeParam>): Param[] {
  const { ref, version, workflows, called, isKnown } = useCalled(team, isCall, given);
  const { data: changes } = useQuery({ ...workflowChangesQuery(team, ref), enabled: isKnown, retry: false });
  if (!isCall) return [...declared];
  const versions = (changes ?? []).map((change) => String(change.version)).reverse();
  return calledParams(declared, {
    workflows: (workflows ?? []).map(({ value, label }) => ({ key: value, value: label })),
    versions: versions.map((key) => ({ key, value: t("calledParams.version", { version: key }) })),
    chosen: { ref, version },
    params: called?.params ?? [],
  });
}

/** The workflow that the task runs, in its version, once it is named. */
function useCalled(team: string, isCall: boolean, given: ReadonlyMap<string, Pick<NodeParam, "value">>) {
  const ref = writtenText(given.get("workflowRef")?.value);
  const version = writtenText(given.get("workflowVersion")?.value);
  const number = /^[1-9]\d*$/.test(version) ? Number(version) : undefined;
  const { data: workflows } = useQuery({ ...workflowChoicesQuery(team), enabled: isCall });
  // No request is sent for a name that is still being typed.
  const isKnown = isCall && (workflows ?? []).some(({ value }) => value === ref);
  const { data } = useQuery({ ...workflowQuery(team, ref, number), enabled: isKnown, retry: false });
  return { ref, version, workflows, called: data?.data, isKnown };
}

export type CalledResult = components["schemas"]["WorkflowResult"];

/** The results that a task gets from the workflow it waits for; undefined: they are unknown, or the task doesn't wait. */
export function useCalledResults(
  team: string,
  task: { type: string | null | undefined; params: DraftTask["params"] },
): { workflow: string; version: number; results: readonly CalledResult[] } | undefined {
  const isCall = task.type === "runworkflow" && isTrue(task.params?.find(({ name }) => name === "wait")?.value);
  const { ref, called } = useCalled(team, isCall, new Map((task.params ?? []).map((param) => [param.name, param])));
  return isCall && called ? { workflow: ref, version: called.version ?? 1, results: resultsOfCalled(called) } : undefined;
}

/** The declared results, otherwise those that its tasks set (packages/server/src/core/workflow/child-call.ts). */
export function resultsOfCalled({ results, tasks }: Pick<Workflow, "results" | "tasks">): readonly CalledResult[] {
  if (results) return results;
  const outputs = (tasks ?? []).flatMap(({ type, params }) =>
    type === "setwfproperty" ? [writtenText(params?.find(({ name }) => name === "output")?.value)] : [],
  );
  return [...new Set(outputs)].filter((name) => name !== "").map((name) => ({ name }));
}

function isTrue(value: unknown): boolean {
  return value === true || (typeof value === "string" && value.toLowerCase() === "true");
}

interface Option {
  key: string;
  value: string;
}

interface Called {
  workflows: readonly Option[];
  /** Newest first. */
  versions: readonly Option[];
  chosen: { ref: string; version: string };
  params: readonly Param[];
}

/** The current value stays an option even if it isn't among the choices. */
export function calledParams(declared: readonly Param[], { workflows, versions, chosen, params }: Called): Param[] {
  const own = declared.some(({ name }) => name === "workflowVersion")
    ? declared
    : declared.flatMap((param) => (param.name === "workflowRef" ? [param, versionParam()] : [param]));
  const withChoices = own.map((param): Param => {
    if (param.name === "workflowRef") return choice(param, workflows, chosen.ref);
    if (param.name !== "workflowVersion") return param;
    return choice({ ...param, placeholder: t("calledParams.latest"), default: undefined }, versions, chosen.version);
  });
  return [...withChoices, ...params.filter(({ name }) => !callParams.includes(name))];
}

function versionParam(): Param {
  return { name: "workflowVersion", label: t("calledParams.versionLabel") };
}

/** Without options it is a text field. */
function choice(param: Param, options: readonly Option[], written: string): Param {
  if (options.length === 0) return param;
  const isNone = written !== "" && !options.some(({ key }) => key === written);
  return { ...param, type: "select", options: isNone ? [...options, { key: written, value: written }] : [...options] };
}

function writtenText(value: unknown): string {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && !hasReference(value) ? value.trim() : "";
}
