import { type ParamKind, type ParamSpec, paramKind } from "@millrace/contract/common.ts";
import type { TaskParam } from "@millrace/contract/task/task.ts";

/**
 * The two forms of a parameter. The document has name, kind (string, array, object), description and default; how a form shows the
 * parameter is in the annotation `millrace.dev/params`. The resource has both in one object. Members unknown to both are kept with those of
 * the document.
 */
const formMembers = [
  "label",
  "type",
  "minValueLength",
  "maxValueLength",
  "options",
  "required",
  "disabled",
  "hiddenValue",
  "readOnly",
  "placeholder",
  "language",
  "helpertext",
  "value",
] as const;
type FormMember = (typeof formMembers)[number];

/** An entry of the annotation. It has `default` only if the document can't express the value: a number, a list in a map … */
export interface ParamForm extends Partial<Record<FormMember, unknown>> {
  name: string;
  default?: unknown;
}

const formTypes: Record<ParamKind, string> = { string: "text", array: "multiselect", object: "json" };

export function taskParam(spec: ParamSpec, form: ParamForm | undefined): TaskParam {
  const { name, type, description, default: specDefault, ...rest } = spec;
  const kind = type ?? shapeOf(specDefault) ?? (rest.properties ? "object" : "string");
  const value = form && "default" in form ? form.default : specDefault;
  return canonicalParam({
    name,
    ...(description !== undefined && { description }),
    ...(value !== undefined && { default: value }),
    type: formTypes[kind],
    ...pickForm(form ?? {}),
    ...rest,
  });
}

/** Fills every omission in the one way in which it is stored. */
export function canonicalParam(param: TaskParam): TaskParam {
  const given = Object.entries(param).filter(([, value]) => value !== null && value !== undefined);
  const { name, ...rest } = Object.fromEntries(given) as TaskParam;
  return { name, label: name, type: "text", readOnly: false, ...rest };
}

export function paramSpec(param: TaskParam): ParamSpec {
  const { name, description, default: value, ...rest } = param;
  const extra = Object.entries(rest).filter(([member]) => !isFormMember(member));
  return {
    name,
    type: documentKind(param),
    ...(description !== undefined && { description }),
    ...(value !== undefined && { default: documentDefault(value) }),
    ...Object.fromEntries(extra),
  };
}

/**
 * The entry of the annotation; undefined if the document alone gives the same parameter.
 *
 * @param written the parameter in the document
 */
export function paramForm(param: TaskParam, written: ParamSpec): ParamForm | undefined {
  const form = pickForm(param);
  const plain = taskParam(written, undefined);
  const hasSameDefault = isSame(param.default, plain.default);
  if (hasSameDefault && isSame(form, pickForm(plain))) return undefined;
  return { name: param.name, ...form, ...(!hasSameDefault && { default: param.default }) };
}

/** Comparing JSON is enough: both values were created by the same functions here, so their members have the same order. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The kind follows from the form's type, unless the default has another kind: a document must not contradict itself. */
function documentKind(param: TaskParam): ParamKind {
  return (param.default === undefined ? undefined : shapeOf(documentDefault(param.default))) ?? paramKind(param.type);
}

function pickForm(from: Partial<Record<FormMember, unknown>>): Pick<TaskParam, FormMember> {
  return Object.fromEntries(
    formMembers.filter((member) => from[member] !== undefined && from[member] !== null).map((member) => [member, from[member]]),
  );
}

function isFormMember(member: string): boolean {
  return (formMembers as readonly string[]).includes(member);
}

function shapeOf(value: unknown): ParamKind | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return "array";
  return typeof value === "object" ? "object" : "string";
}

/** A text, a list of texts or a map of texts; other values become JSON. */
function documentDefault(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return asText(value);
  if (Array.isArray(value)) return value.map(asText);
  return Object.fromEntries(Object.entries(value).map(([member, item]) => [member, asText(item)]));
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
