import { type Found, scanReferences, textsOf } from "../../parameter/references.ts";

/**
 * Converts references between the syntax of a Pipeline and that of a workflow. A parameter of the pipeline is a parameter of the workflow,
 * even if the task has one of the same name, so it is written with its layer. Names of the run are parameters of the context.
 */

const ofContext: readonly (readonly [string, string])[] = [
  ["$(context.pipelineRun.name)", "$(context.params.workflowrun-ref)"],
  ["$(context.pipelineRun.uid)", "$(context.params.workflowrun-id)"],
  ["$(context.pipeline.name)", "$(context.params.workflow-name)"],
];
const toWorkflow = new Map(ofContext);
const toPipeline = new Map(ofContext.map(([pipeline, workflow]) => [workflow, pipeline] as const));

export function toWorkflowReferences<T>(value: T, declared: ReadonlySet<string>): T {
  return mapTexts(value, (text) =>
    replaceFound(text, ({ reference }, written) => {
      if (reference?.kind === "param" && reference.layer === undefined && declared.has(reference.name) && written.startsWith("$(params"))
        return `$(workflow.${written.slice(2)}`;
      return toWorkflow.get(written) ?? written;
    }),
  );
}

export function toPipelineReferences<T>(value: T): T {
  return mapTexts(value, (text) =>
    replaceFound(text, ({ reference }, written) => {
      if (reference?.kind === "param" && reference.layer === "workflow") return `$(${written.slice("$(workflow.".length)}`;
      return toPipeline.get(written) ?? written;
    }),
  );
}

/** Names of the tasks whose results a value refers to, in order of appearance. */
export function tasksReferredTo(value: unknown): string[] {
  const names = textsOf(value).flatMap((text) =>
    scanReferences(text).flatMap(({ reference }) => (reference?.kind === "result" ? [reference.task] : [])),
  );
  return [...new Set(names)];
}

/** References of a pipeline that have no equivalent here, each with an alternative. */
export function foreignReferences(value: unknown): { text: string; why: string }[] {
  return textsOf(value).flatMap((text) =>
    [...text.matchAll(suspects)].flatMap(([written]) => {
      const why = toWorkflow.has(written) ? undefined : whyForeign(written);
      return why === undefined ? [] : [{ text: written.slice(0, 100), why }];
    }),
  );
}

const suspects = /\$\((?:context|tasks|finally|workspaces)\.[^()\s]{1,300}\)/g;

function whyForeign(written: string): string | undefined {
  if (written.startsWith("$(tasks.")) return whyForeignTask(written);
  if (written.startsWith("$(context.pipeline")) return "runs have no such name; $(context.pipelineRun.name) is the ID of the run";
  if (written.startsWith("$(workspaces.")) return "only steps know workspaces; a workspace is always bound, in a folder of its own";
  return written.startsWith("$(finally.") ? "results of finally tasks can't be used" : undefined;
}

/** This includes the number of runs of a matrix, and artifacts: every reference that is unknown here would stay as text. */
function whyForeignTask(written: string): string | undefined {
  if (written === "$(tasks.status)" || /^\$\(tasks\.[^.[\]]+\.(?:status|reason|message)\)$/.test(written))
    return "there are no references to the status of a task; let the task write a result, and refer to that";
  return scanReferences(written)[0]?.reference ? undefined : "only results of tasks can be used, $(tasks.NAME.results.RESULT)";
}

function replaceFound(text: string, change: (found: Found, written: string) => string): string {
  let changed = "";
  let at = 0;
  for (const found of scanReferences(text)) {
    if (!found.reference) continue;
    changed += text.slice(at, found.start) + change(found, text.slice(found.start, found.end));
    at = found.end;
  }
  return changed + text.slice(at);
}

function mapTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value === "string") return change(value) as T;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, change)])) as T;
}
