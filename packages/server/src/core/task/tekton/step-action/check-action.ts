import { paramKind } from "@millrace/contract/common.ts";
import { escapePointer } from "@millrace/contract/json-pointer.ts";
import type { Step } from "@millrace/contract/task/task.ts";
import { stepActionSpec } from "@millrace/contract/task/task-definition.ts";
import type { ErrorDetail } from "../../../../base/error/app-error.ts";
import { findReferences, type Reference, textsOf } from "../../../parameter/references.ts";
import { isSecretParam } from "../../../parameter/secret-params.ts";
import { duplicates, fileNameFaults, paramFaults } from "../../name-faults.ts";
import { annotationPrefix } from "../annotations/service-annotations.ts";
import { envSourceFaults, foreignSource } from "../env-sources.ts";
import { paramSpec } from "../param-form.ts";
import { findSchemaFaults } from "../schema-faults.ts";
import { privilegeFaults } from "../step-privileges.ts";
import type { TaskContent } from "../task-content.ts";
import { mountFaults } from "../volumes/volume-mounts.ts";
import { actionOf, type StepAction, wholeParam } from "./step-action.ts";

/** Problems because of which no task could use a StepAction; paths are pointers into its document. */
export function findActionFaults(content: TaskContent): ErrorDetail[] {
  const action = actionOf(content.spec, content.name);
  const strange = [...strangeMembers(content), ...wrongShapes(action)];
  if (strange.length > 0) return strange;
  return [
    ...ofTasks(content.annotations),
    ...duplicates("parameters", "/spec/params", action.params),
    ...action.params.flatMap((param, index) => [...paramFaults(param, index), ...defaultFaults(param, index)]),
    ...duplicates("results", "/spec/results", action.results),
    ...fileNameFaults("result", "/spec/results", action.results),
    ...programFaults(action),
    ...envFaults(action),
    ...[...mountFaults({}, [action as Step]), ...privilegeFaults({ steps: [action as Step] }, content.name)].map(inSpec),
    ...volumeFaults(action),
    ...referenceFaults(action),
  ];
}

function inSpec({ path, message }: ErrorDetail): ErrorDetail {
  return { path: path.replace("/spec/steps/0", "/spec"), message };
}

/** The resource has the names `arguments` and `envs`, the document `args` and `env`. */
const common = ["description", "params", "results", "image", "command", "script", "workingDir", "securityContext", "volumeMounts"];
const ofDocument = [...common, "args", "env"];
const ofResource = [...common, "arguments", "envs"];

function strangeMembers({ document, spec }: TaskContent): ErrorDetail[] {
  const [known, members] = document === undefined ? [ofResource, spec] : [ofDocument, document];
  const strange = Object.keys(members).filter((member) => !known.includes(member));
  return strange.slice(0, 20).map((member) => ({
    path: `/spec/${escapePointer(member)}`,
    message: `is not a member of a StepAction, which can have ${known.join(", ")}; members of a step go beside its ref`,
  }));
}

function wrongShapes({ params, ...program }: StepAction): ErrorDetail[] {
  const faults = findSchemaFaults(stepActionSpec, { params: params.map(paramSpec), ...program });
  return faults.map(({ path, message }) => ({ path: `/spec${path}`, message }));
}

const taskAnnotations = ["executor", "network", "runs-on", "node-selector", "language", "keep-alive"];

function ofTasks(annotations: Readonly<Record<string, unknown>>): ErrorDetail[] {
  const names = taskAnnotations.map((name) => annotationPrefix + name).filter((name) => annotations[name] != null);
  return names.map((name) => ({
    path: `/metadata/annotations/${escapePointer(name)}`,
    message: "belongs to the task that uses the StepAction; remove it here",
  }));
}

function defaultFaults(param: StepAction["params"][number], index: number): ErrorDetail[] {
  const path = `/spec/params/${index}/default`;
  const { default: given, value } = param;
  if ((value ?? "") !== "") return [{ path: `/spec/params/${index}/value`, message: "must be left out; a StepAction has defaults" }];
  if (isSecretParam(param) && (given ?? "") !== "")
    return [{ path, message: "must be left out: a secret of a StepAction comes from the step that refers to it" }];
  const [reference] = findReferences(given);
  if (reference === undefined) return [];
  return [
    { path, message: `refers to ${reference.text}, but a default of a StepAction can't contain references; use it in the step instead` },
  ];
}

function programFaults({ image, script, command, args, results = [] }: StepAction): ErrorDetail[] {
  const faults: ErrorDetail[] = results.flatMap(({ value }, index) =>
    value == null ? [] : [{ path: `/spec/results/${index}/value`, message: "must be left out: only results of tasks have it" }],
  );
  if (!image && !script && !command?.length && !args?.length)
    faults.push({ path: "/spec", message: "has no script, no command and no image; there is nothing to run" });
  if (script && command?.length) faults.push({ path: "/spec/command", message: "can't be used beside script; keep one of them" });
  return faults;
}

function envFaults(action: StepAction): ErrorDetail[] {
  const foreign = (action.env ?? []).flatMap(({ name, valueFrom }, index) => {
    const member = foreignSource(valueFrom);
    if (member === undefined) return [];
    return [{ path: `/spec/env/${index}/valueFrom`, message: `takes ${name} from a field that only pods have (${member})` }];
  });
  return [...foreign, ...envSourceFaults(action as Step, "/spec")];
}

/** As in Tekton, the task decides which volume is mounted. */
function volumeFaults({ volumeMounts = [], params }: StepAction): ErrorDetail[] {
  const texts = new Set(params.filter(({ type }) => paramKind(type) === "string").map(({ name }) => name));
  return volumeMounts.flatMap(({ name }, index) => {
    const param = wholeParam(name);
    if (param !== undefined && (texts.has(param) || !params.some((one) => one.name === param))) return [];
    const message = `is ${JSON.stringify(name.slice(0, 80))}; it must be a parameter of type string, $(params.NAME), since volumes are the task's`;
    return [{ path: `/spec/volumeMounts/${index}/name`, message }];
  });
}

function referenceFaults({ params, results = [], ...program }: StepAction): ErrorDetail[] {
  const known = { params: new Set(params.map(({ name }) => name)), results: new Set(results.map(({ name }) => name)) };
  return Object.entries(program).flatMap(([member, texts]) => {
    const faults = findReferences(texts).flatMap((reference) => {
      const fault = referenceFault(reference, known);
      return fault === undefined ? [] : [`refers to ${reference.text}, but ${fault}`];
    });
    const [spread] = textsOf(texts).flatMap((text) => /\$\(step\.[^()\s]{1,500}\[\*\]\)/.exec(text)?.[0] ?? []);
    if (spread !== undefined) faults.push(`refers to ${spread}, but ${noOtherSteps}`);
    return faults.slice(0, 20).map((message) => ({ path: `/spec/${member}`, message }));
  });
}

const noOtherSteps = "a StepAction knows no other steps; take the value, or the path, as a parameter";

interface KnownNames {
  params: ReadonlySet<string>;
  results: ReadonlySet<string>;
}

/** A StepAction can only refer to what its step passes to it. */
function referenceFault(reference: Reference, { params, results }: KnownNames): string | undefined {
  if (reference.kind === "result") return "a StepAction knows no other tasks; take the value as a parameter";
  if (reference.kind === "param") {
    if (reference.layer !== undefined)
      return `a StepAction can't reach parameters of the ${reference.layer}; take the value as a parameter`;
    return params.has(reference.name) ? undefined : `the StepAction declares no parameter ${reference.name}; add it to its params`;
  }
  const [root, member, ...rest] = reference.words;
  if (root === "steps") return noOtherSteps;
  if (root !== "step" || member !== "results") return undefined;
  if (rest.pop() !== "path") return "a step has only the paths of its own results; add .path";
  const name = rest.join(".");
  return results.has(name) ? undefined : `the StepAction declares no result ${name}; add it to its results`;
}
