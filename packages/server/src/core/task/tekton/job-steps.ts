import type { Step, TaskSpec } from "@millrace/contract/task/task.ts";
import { type ParameterScope, resolveText } from "../../parameter/parameters.ts";
import type { ParameterWarning } from "../../parameter/parameters-substitution.ts";
import { maxStepsLength, OversizedParameters, textLengthOf } from "../../run/result-sizes.ts";
import type { FunctionLanguage } from "./annotations/function-annotations.ts";
import { type FindSource, type FindTexts, sourcedEnvironment, textFinder } from "./env-sources.ts";
import { defaultStepName, sidecarNames, sidecarsOf } from "./flat-step.ts";
import {
  actionOfStep,
  argument,
  mergedSteps,
  type Note,
  type StepTexts,
  type TextsOf,
  textsIn,
  textsOfAction,
  textsOfStep,
} from "./step-action/step-action.ts";
import { type StepPrivileges, stepPrivileges } from "./step-privileges.ts";
import { parseDuration, type StepResources, stepResources } from "./step-resources.ts";
import {
  declaredResults,
  type FindValue,
  fillItem,
  fillText,
  piecesOf,
  placeOfResult,
  type StepCondition,
  type StepText,
} from "./step-values.ts";
import { type JobMount, type JobVolume, resolveMounts, resolveVolumes } from "./volumes/volume-mounts.ts";
import type { MaskText } from "./volumes/volumes.ts";

/**
 * One step of a task as it is passed to an executor (engine/executor.ts); the steps of a task run are executed in order. The step template
 * is merged in, names and times are filled in. Paths that only the executor knows (`$(results.NAME.path)`, `$(context.…)`) are replaced if
 * the scope has them (`extra`).
 */
export interface JobStep<Text = StepText> {
  name: string;
  image?: string;
  /** A whole program with its shebang (default `#!/bin/sh`); excludes command. */
  script?: string;
  /** The script is a function in that language: its runner calls it (executors/programs/run-function.*). */
  language?: FunctionLanguage;
  command?: Text[];
  args?: Text[];
  env?: { name: string; value: Text }[];
  workingDir?: string;
  /** Evaluated right before the step; the step is skipped unless all conditions hold. */
  when?: StepCondition[];
  /** Tekton `onError`: `continue` runs the next step after a failure. */
  onError?: "continue" | "stopAndFail";
  timeoutMs?: number;
  /** Tekton `computeResources`; limits can't exceed what an executor allows. Processes have no limits per step. */
  resources?: StepResources;
  /** Tekton `imagePullPolicy`: when the registry is contacted; absent: `IfNotPresent`. */
  pullPolicy?: "Always" | "IfNotPresent" | "Never";
  /**
   * Tekton `securityContext.readOnlyRootFilesystem: false`: the step may write everywhere in its image, and these changes are discarded.
   */
  hasWritableRoot?: boolean;
  /** Tekton `stdoutConfig` and `stderrConfig`: files of the step that receive a copy of its output. */
  outputFiles?: { stdout?: string; stderr?: string };
  /** From its `securityContext`; absent: no privileges, like every step by default. */
  privileges?: StepPrivileges;
  /** Volumes of the job that the step mounts. */
  mounts?: JobMount[];
}

export interface ProgramTask {
  name: string;
  type: string;
  spec: Partial<TaskSpec>;
  annotations: Record<string, unknown>;
}

/** The steps as written in the task, with references. Empty for a custom task without steps: its node defines what runs. */
export function jobSteps(task: ProgramTask): JobStep[] {
  return named(mergedSteps(task.spec, task.name), task.name);
}

/**
 * The steps of a task run, with references to parameters and results replaced. An argument that is only a reference to a list,
 * `$(params.NAME[*])` or `$(params.NAME)`, becomes one argument for each item, as in Tekton.
 *
 * @param scope its layer `task` holds the parameters of the task run, resolved. Those that are the program of a custom task are
 *   not examined again: what was put into them may come from outside.
 * @param find what `valueFrom` and `envFrom` name; absent: variables that are taken from there are empty
 * @param mask secrets in parts of messages
 * @throws MissingSource, InvalidMount, OversizedParameters
 */
export function resolveSteps(
  task: ProgramTask,
  scope: ParameterScope,
  find?: FindSource,
  mask: MaskText = (text) => text,
): { steps: JobStep[]; sidecars: JobStep[]; volumes: JobVolume[]; warnings: ParameterWarning[]; secrets: string[] } {
  const written = mergedSteps(task.spec, task.name);
  const steps = named(written, task.name);
  const { note, warnings } = boundedNote();
  const secrets: string[] = [];
  const sources = find && textFinder(find);
  const findPieces = piecesOf(
    declaredResults(
      steps.map(({ name }) => name),
      written,
    ),
  );
  const resolved = steps.map((step, index) => {
    const from = written[index] as Step;
    const own = { ...scope, extra: (words: readonly string[]) => placeOfResult(words, step.name, scope.extra) };
    const action = actionOfStep(from);
    const ofAction = action && textsOfAction(from, action, own, note, findPieces);
    secrets.push(...(ofAction?.secrets ?? []));
    const texts = textsOfStep(from, task.spec.stepTemplate ?? undefined, textsIn(own, note, findPieces), ofAction?.texts);
    const { volumeMounts = [] } = from;
    const mounts = volumeMounts.length > 0 && { mounts: resolveMounts(`step "${step.name}"`, volumeMounts, texts, mask) };
    const mapped = { ...mapTexts(step, from, texts), ...mounts };
    return sources === undefined ? mapped : withSources(mapped, from, texts, sources);
  });
  const sidecars = resolveSidecars(sidecarsOf(task.spec), textsIn(scope, note), sources, mask);
  const all = [...resolved, ...sidecars].flatMap(({ mounts = [] }) => mounts);
  const ofVolume = (text: string): string => note(resolveText(text, scope));
  const volumes = all.length > 0 ? resolveVolumes(task.spec.volumes ?? [], all, ofVolume, sources, mask) : [];
  const isOfNode = steps.length === 0 && task.type === "custom";
  const ofNode = isOfNode ? named(customSteps(scope.task ?? {}), task.name) : resolved;
  return { steps: ofNode, sidecars, volumes, warnings: [...warnings.values()], secrets };
}

function resolveSidecars(written: readonly Step[], own: StepTexts, find: FindTexts | undefined, mask: MaskText): JobStep[] {
  const names = sidecarNames(written);
  const texts = () => own;
  return written.map((sidecar, index) => {
    const {
      onError: _onError,
      timeoutMs: _timeoutMs,
      when: _when,
      outputFiles: _outputFiles,
      ...step
    } = jobStep(sidecar, names[index] ?? "");
    const { volumeMounts = [] } = sidecar;
    const mounts = volumeMounts.length > 0 && { mounts: resolveMounts(`sidecar "${step.name}"`, volumeMounts, texts, mask, true) };
    const mapped = { ...mapTexts(step, sidecar, texts), ...mounts };
    return find === undefined ? mapped : withSources(mapped, sidecar, texts, find);
  });
}

/**
 * The same steps, resolved only as far as needed to decide where a task run goes: images are resolved, all other texts stay as written.
 * Errors in the other texts are reported when the job is created.
 * @throws OversizedParameters
 */
export function resolveImages(task: ProgramTask, scope: ParameterScope): JobStep[] {
  const written = mergedSteps(task.spec, task.name);
  if (written.length === 0 && task.type === "custom") return named(customSteps(scope.task ?? {}), task.name);
  const { note } = boundedNote();
  return named(written, task.name).map((step, index) => {
    if (!step.image?.includes("$(")) return step;
    const from = written[index] as Step;
    const action = actionOfStep(from);
    const ofAction = action && textsOfAction(from, action, scope, note);
    const texts = textsOfStep(from, task.spec.stepTemplate ?? undefined, textsIn(scope, note), ofAction?.texts);
    return { ...step, image: texts("image").text(step.image) };
  });
}

/** Keeps each warning once, and limits the total length of the resolved texts of a task. */
function boundedNote(): { note: Note; warnings: Map<string, ParameterWarning> } {
  const warnings = new Map<string, ParameterWarning>();
  let length = 0;
  const note: Note = (resolved) => {
    for (const warning of resolved.warnings) warnings.set(warning.reference, warning);
    length += textLengthOf(resolved.value);
    if (length > maxStepsLength) throw new OversizedParameters("The steps of this task", maxStepsLength);
    return resolved.value;
  };
  return { note, warnings };
}

function withSources(step: JobStep, written: Step, texts: TextsOf, find: FindTexts): JobStep {
  if (written["envFrom"] == null && !written.env?.some(({ valueFrom }) => valueFrom != null)) return step;
  const values = step.env?.map(({ value }) => value) ?? [];
  return { ...step, env: sourcedEnvironment(written, values, texts, find) };
}

/** As in Tekton, steps without a name are numbered from 0; a single step gets the name of the task. */
function named(steps: readonly Step[], taskName: string): JobStep[] {
  const lone = steps.length === 1 ? defaultStepName(taskName) : "";
  return steps.map((step, index) => jobStep(step, step.name || lone || `unnamed-${index}`));
}

function jobStep(step: Step, name: string): JobStep {
  const { image, script, command, args, env, workingDir, when, onError } = step;
  const timeoutMs = step.timeout === undefined ? 0 : (parseDuration(step.timeout) ?? 0);
  return {
    name,
    ...(image && { image }),
    ...(script ? { script } : command?.length && { command }),
    ...(args?.length && { args }),
    ...(env && { env: env.map(({ name, value }) => ({ name, value: value ?? "" })) }),
    ...(workingDir && { workingDir }),
    ...(Array.isArray(when) && when.length > 0 && { when: when.map(condition) }),
    ...((onError === "continue" || onError === "stopAndFail") && { onError }),
    ...(timeoutMs > 0 && { timeoutMs }),
    ...outputMembers(step),
    ...containerMembers(step),
  };
}

function outputMembers({ stdoutConfig, stderrConfig }: Step): Pick<JobStep, "outputFiles"> {
  const [stdout, stderr] = [stdoutConfig, stderrConfig].map((config) => (config as { path?: unknown } | null | undefined)?.path);
  const files = { ...(typeof stdout === "string" && { stdout }), ...(typeof stderr === "string" && { stderr }) };
  return Object.keys(files).length > 0 ? { outputFiles: files } : {};
}

/** From a document that was checked when it was saved (step-value-faults.ts). */
function condition(written: unknown): StepCondition {
  const { input, operator, values } = (written ?? {}) as Record<string, unknown>;
  return {
    input: typeof input === "string" ? input : "",
    operator: operator === "notin" ? "notin" : "in",
    values: Array.isArray(values) ? values.filter((value) => typeof value === "string") : [],
  };
}

/** Members that only apply to containers. */
function containerMembers(step: Step): Pick<JobStep, "resources" | "pullPolicy" | "hasWritableRoot" | "privileges"> {
  const { computeResources, resources, imagePullPolicy, securityContext } = step as Record<string, unknown>;
  const amounts = computeResources ?? resources;
  const wanted = amounts == null ? undefined : stepResources(amounts);
  const pullPolicy = (["Always", "IfNotPresent", "Never"] as const).find((policy) => policy === imagePullPolicy);
  const isWritable = (securityContext as { readOnlyRootFilesystem?: unknown } | undefined)?.readOnlyRootFilesystem === false;
  const privileges = securityContext == null ? undefined : stepPrivileges(step);
  return {
    ...(wanted && { resources: wanted }),
    ...(pullPolicy && { pullPolicy }),
    ...(isWritable && { hasWritableRoot: true }),
    ...(privileges && { privileges }),
  };
}

/** For a `custom` task, the node itself defines what runs: an image, a command and its arguments (one per line), or a script. */
function customSteps(params: Readonly<Record<string, unknown>>): Step[] {
  const text = (name: string) => (Object.hasOwn(params, name) ? argument(params[name]) : "");
  const lines = (name: string) =>
    text(name)
      .split(/\r?\n/)
      .filter((line) => line !== "");
  const script = text("shellScript");
  return [{ image: text("image").trim(), script: script.trim() === "" ? "" : script, command: lines("command"), args: lines("arguments") }];
}

function mapTexts(step: JobStep, from: Step, texts: TextsOf): JobStep {
  return {
    ...step,
    ...(step.image !== undefined && { image: texts("image").text(step.image) }),
    ...(step.script !== undefined && { script: texts("script").text(step.script) }),
    ...(step.command && { command: step.command.flatMap(texts("command").item) }),
    ...(step.args && { args: step.args.flatMap(texts("args").item) }),
    ...(step.env && { env: step.env.map(({ name, value }, index) => ({ name, value: texts("env", from.env?.[index]).value(value) })) }),
    ...(step.when && { when: step.when.map((condition) => mapCondition(condition, texts("task"))) }),
    ...(step.workingDir !== undefined && { workingDir: texts("workingDir").text(step.workingDir) }),
    ...(step.outputFiles && { outputFiles: mapFiles(step.outputFiles, texts("task")) }),
  };
}

function mapFiles(files: NonNullable<JobStep["outputFiles"]>, { text }: StepTexts): NonNullable<JobStep["outputFiles"]> {
  return Object.fromEntries(Object.entries(files).map(([stream, path]) => [stream, text(path)]));
}

function mapCondition({ input, operator, values }: StepCondition, { value, item }: StepTexts): StepCondition {
  return { input: value(input), operator, values: values.flatMap(item) };
}

/** A step whose texts contain no values of other steps any more. */
export type PlainStep = JobStep<string>;

export function isPlainStep(step: JobStep): step is PlainStep {
  return step.when === undefined && [...stepTexts(step)].every((text) => typeof text === "string");
}

/** Texts of a step that may contain values of other steps, except those of its conditions. */
export function stepTexts({ command = [], args = [], env = [] }: JobStep): StepText[] {
  return [...command, ...args, ...env.map(({ value }) => value)];
}

/** The step with its values in place. Its conditions were examined before. */
export function fillStep({ when: _, command, args, env, ...others }: JobStep, find: FindValue): PlainStep {
  const fill = (text: StepText): string => fillText(text, find);
  return {
    ...others,
    ...(command && { command: command.flatMap((text) => fillItem(text, find)) }),
    ...(args && { args: args.flatMap((text) => fillItem(text, find)) }),
    ...(env && { env: env.map(({ name, value }) => ({ name, value: fill(value) })) }),
  };
}
