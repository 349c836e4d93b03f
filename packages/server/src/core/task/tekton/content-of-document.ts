import type { ParamSpec } from "@millrace/contract/common.ts";
import { stepActionType } from "@millrace/contract/status.ts";
import type { Step, TaskSpecInput } from "@millrace/contract/task/task.ts";
import { type Definition, formParam, type Spec, type StepActionSpec } from "@millrace/contract/task/task-definition.ts";
import Type from "typebox";
import { readYamlDocuments, YamlError } from "../../document/yaml-tree.ts";
import { readYamlValue } from "../../document/yaml-values.ts";
import { remainderAnnotation, splitAnnotations } from "./annotations/service-annotations.ts";
import { type ParamForm, taskParam } from "./param-form.ts";
import { invalidDefinition } from "./read-task-document.ts";
import { canonicalSpec, type TaskContent } from "./task-content.ts";

/**
 * Converts the document to the one form in which a task is stored. Display names are also taken from the annotations that the public
 * catalogue uses for them. Content without a member in a task (`metadata.namespace` and the like) is kept in an annotation.
 *
 * @param name from the path; overrides the name in the document
 */
export function contentOfDocument(definition: Definition, name = definition.metadata.name): TaskContent {
  const { service, kept } = splitAnnotations(definition.metadata.annotations ?? {});
  const isAction = definition.kind === "StepAction";
  return {
    name,
    displayName: textOf(service.displayName) ?? textOf(kept["tekton.dev/displayName"]) ?? name,
    ...(isAction && { kind: definition.kind }),
    type: textOf(service.type) ?? (isAction ? stepActionType : undefined),
    status: textOf(service.status)?.toLowerCase(),
    description: textOf(definition.spec.description) ?? textOf(kept["description"]),
    category: textOf(service.category) ?? textOf(kept["tekton.dev/categories"])?.split(",")[0]?.trim(),
    icon: textOf(service.icon),
    labels: definition.metadata.labels ?? {},
    annotations: { ...kept, ...remainder(definition) },
    spec: specOf(isAction ? flatAction(definition.spec) : definition.spec, readForms(service.params), name),
    changeReason: undefined,
    document: definition.spec,
  };
}

/** The step of a StepAction, in the flat form of a resource with one step. */
function flatAction({ args, env, ...spec }: StepActionSpec): Spec {
  return { ...spec, ...(args && { arguments: args }), ...(env && { envs: env }) };
}

function specOf(spec: Spec, forms: ParamForm[], name: string) {
  const { description: _toTheTask, params, ...rest } = spec;
  const byName = new Map(forms.map((form) => [form.name, form]));
  return canonicalSpec({ ...(currentMembers(rest) as TaskSpecInput), params: params?.map((param) => withForm(param, byName)) }, name);
}

function withForm(param: ParamSpec, forms: Map<string, ParamForm>) {
  return taskParam(param, forms.get(param.name));
}

/** The member is called `resources` in v1beta1, and `computeResources` in v1. */
export function currentMembers(spec: Record<string, unknown>): Record<string, unknown> {
  const { steps, stepTemplate, sidecars, ...rest } = spec as Spec;
  return {
    ...rest,
    ...(stepTemplate && { stepTemplate: currentStep(stepTemplate) }),
    ...(steps && { steps: steps.map(currentStep) }),
    ...(sidecars && { sidecars: sidecars.map(currentStep) }),
  };
}

function currentStep(step: Step): Step {
  if (!("resources" in step) || "computeResources" in step) return step;
  return Object.fromEntries(Object.entries(step).map(([member, value]) => [member === "resources" ? "computeResources" : member, value]));
}

/** Members of the document that have no member in a task. */
function remainder(definition: Definition): Record<string, unknown> {
  const { apiVersion: _version, kind: _kind, metadata, spec: _spec, ...root } = definition;
  const { name: _name, labels: _labels, annotations: _annotations, ...rest } = metadata;
  const kept = { ...root, ...(Object.keys(rest).length > 0 && { metadata: rest }) };
  return Object.keys(kept).length > 0 ? { [remainderAnnotation]: kept } : {};
}

/** Annotations in Kubernetes are texts, so the list may also be written as text. */
export function readForms(value: unknown): ParamForm[] {
  if (typeof value !== "string") return asForms(value);
  try {
    const [document] = readYamlDocuments(value);
    return document === undefined ? [] : asForms(readYamlValue(document, formList).value);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw invalidDefinition([
      { path: "/metadata/annotations", message: `the annotation of the parameters is not a list: ${error.message}` },
    ]);
  }
}

const formList = Type.Array(formParam);

function asForms(value: unknown): ParamForm[] {
  if (!Array.isArray(value)) return [];
  return value.map((entry: unknown, index) => {
    if (typeof entry !== "object" || entry === null || Array.isArray(entry)) {
      const message = `the annotation of the parameters has ${JSON.stringify(entry)} as entry ${index + 1}; each must be an object with a name`;
      throw invalidDefinition([{ path: "/metadata/annotations", message }]);
    }
    const { key, helperText, ...form } = entry as Record<string, unknown>;
    const name = form["name"] ?? key ?? "";
    if (typeof name === "object") {
      const message = `the annotation of the parameters has entry ${index + 1} whose name is not text`;
      throw invalidDefinition([{ path: "/metadata/annotations", message }]);
    }
    return { ...form, name: String(name), helpertext: form["helpertext"] ?? helperText };
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
