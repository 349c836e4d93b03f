import type { AbstractParam, ParamSpec } from "@millrace/contract/common.ts";
import { checkParamDefault } from "../../parameter/parameters-check.ts";
import { findReferences } from "../../parameter/references.ts";
import { isSecretParam } from "../../parameter/secret-params.ts";
import { type ParamForm, paramForm, paramSpec, taskParam } from "../../task/tekton/param-form.ts";
import type { PipelineReport } from "./pipeline-report.ts";

/**
 * Parameters of a Pipeline, read like those of a task (param-form.ts): what the document format can't express is in an annotation. A
 * parameter without a default is required; one with `enum` is a choice.
 */
export function readParam(spec: ParamSpec, form: ParamForm | undefined): AbstractParam {
  const { enum: choices, ...param } = taskParam(spec, form);
  const isRequired = form?.required ?? param.default === undefined;
  const { required: _form, ...rest } = param;
  const choice = choices && form?.type === undefined && { type: "select", options: choices.map((key) => ({ key })) };
  return { ...rest, ...choice, ...(isRequired === true && { required: true }) };
}

export function checkParam(spec: ParamSpec, param: AbstractParam, path: string, report: PipelineReport): void {
  if (findReferences(spec.default).length > 0) report.refuse(`${path}/default`, "must not have a reference, which would be replaced here");
  if (/[\p{Cc}()]/u.test(spec.name)) report.refuse(`${path}/name`, "must not contain parentheses or control characters");
  if (spec.name.length > 250) report.refuse(`${path}/name`, "must not have more than 250 characters");
  if (kindOf(spec.default) !== undefined && spec.type !== undefined && kindOf(spec.default) !== spec.type)
    report.refuse(`${path}/default`, `must be ${kindWords[spec.type]}, as the type says`);
  const wrong = checkParamDefault(param);
  if (wrong !== undefined) report.refuse(`${path}/default`, wrong);
}

const kindWords = { string: "a text", array: "a list", object: "a map" } as const;

function kindOf(value: unknown): ParamSpec["type"] | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value)) return "array";
  return typeof value === "object" ? "object" : "string";
}

/**
 * The parameter in the document, and the entry in the annotation that it needs.
 * @param isUntyped its type was left out, as far as it can be inferred
 */
export function writeParam(param: AbstractParam, isUntyped = false): { spec: ParamSpec; form: ParamForm | undefined } {
  const { spec, form } = writeTyped(param);
  const { type: _implied, ...untyped } = spec;
  return isUntyped && isSame(readParam(untyped, form), readParam(spec, form)) ? { spec: untyped, form } : { spec, form };
}

function writeTyped(param: AbstractParam): { spec: ParamSpec; form: ParamForm | undefined } {
  const { hiddenValue: _computed, ...shown } = param;
  if (isSecretParam(param)) delete shown.default;
  const { options, ...bare } = shown;
  const isChoice = shown.type === "select" && options?.every(({ key, value }) => value === undefined || value === key);
  const spec = isChoice ? { ...paramSpec({ ...bare }), enum: options?.map(({ key }) => key) ?? [] } : paramSpec({ ...shown });
  if (isSame(readParam(spec, undefined), shown)) return { spec, form: undefined };
  const plain = paramSpec({ ...shown });
  const form = paramForm({ ...shown }, plain) ?? { name: shown.name };
  return { spec: plain, form: shortForm(form, shown) };
}

/** Leaves out what reading adds by default. A parameter without a default is required unless the form says otherwise. */
function shortForm(form: ParamForm, { default: value, required }: AbstractParam): ParamForm {
  const { label, readOnly, required: _written, ...rest } = form;
  const isRequired = required === true;
  return {
    ...rest,
    ...(label !== undefined && label !== form.name && { label }),
    ...(readOnly === true && { readOnly }),
    ...(isRequired !== (value === undefined) && { required: isRequired }),
  };
}

/** Ignores the order of members. */
function isSame(one: object, other: object): boolean {
  const sorted = (value: object) => JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  return sorted(one) === sorted(other);
}
