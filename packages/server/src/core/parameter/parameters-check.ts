import type { AbstractParam, RunParam } from "@millrace/contract/common.ts";
import type { AbstractParamRequest } from "@millrace/contract/parameter.ts";
import type { ErrorDetail } from "../../base/error/app-error.ts";
import { shorten } from "../../base/text/shorten.ts";
import { scanReferences } from "./references.ts";
import { isKeyedSecret, isSecretParam, keyedFault } from "./secret-params.ts";
import { secretFault } from "./secret-text.ts";

/**
 * Checks whether the values of a request match the declared parameters. It is strict where a form would be (numbers, booleans, choices,
 * addresses, lengths, JSON), and lenient for the sake of events: a text may be any value, and undeclared parameters are accepted. Nothing
 * is converted: `5` and `"5"` are both valid numbers and do not change.
 */

/**
 * Every value that does not match, and every required one that is missing. Paths are JSON pointers into the request.
 * @param secret names of parameters whose values must not be repeated, in addition to those declared as secrets
 */
export function checkParamValues(
  given: readonly RunParam[],
  declared: readonly AbstractParam[],
  secret: ReadonlySet<string> = new Set(),
): ErrorDetail[] {
  const byName = new Map(declared.map((param) => [param.name, param]));
  const present = new Set(given.filter(({ value }) => !isEmpty(value)).map(({ name }) => name));
  const wrong = given.flatMap(({ name, value }, index) => {
    const param = byName.get(name);
    const message = param && !isEmpty(value) ? checkGivenValue(param, value) : undefined;
    const shown = secret.has(name) ? `is a secret that does not match the type ${param?.type ?? "text"}` : message;
    return message ? [{ path: `/params/${index}/value`, message: `parameter "${name}" ${shown}` }] : [];
  });
  const missing = declared.filter((param) => param.required && isEmpty(param.default ?? param.value) && !present.has(param.name));
  return [...wrong, ...missing.map(({ name }) => ({ path: "/params", message: `parameter "${name}" is required and has no default` }))];
}

/** Old workflows, from before secrets had keys, may declare that type, which was a text then. */
function checkGivenValue(param: AbstractParam, value: unknown): string | undefined {
  return isKeyedSecret(param) && typeof value === "string" ? secretFault(value) : checkParamValue(param, value);
}

/**
 * Why a run could not start with a declared default; undefined if it could. References are accepted, since they may resolve to anything.
 */
export function checkParamDefault(param: AbstractParam): string | undefined {
  const value = param.default;
  if (isEmpty(value) || isSecretParam(param)) return undefined;
  if (scanReferences(typeof value === "string" ? value : JSON.stringify(value)).length > 0) return undefined;
  return checkParamValue(param, value);
}

/** What is wrong with a value, including what is allowed; undefined if it matches. */
export function checkParamValue(param: AbstractParam, value: unknown): string | undefined {
  if (isKeyedSecret(param)) return keyedFault(value);
  if (isSecretParam(param)) return secretFault(value) ?? lengthFault(param, value);
  const check = checks[param.type ?? "text"];
  return check?.(value, param) ?? lengthFault(param, value);
}

type Check = (value: unknown, param: AbstractParam) => string | undefined;

const checks: Readonly<Record<string, Check | undefined>> = Object.assign(Object.create(null), {
  number: (value) => fault(isNumber(value), "must be a number", value),
  boolean: (value) => fault(value === true || value === false || value === "true" || value === "false", "must be true or false", value),
  email: (value) => fault(typeof value === "string" && /^[^\s@]+@[^\s@]+$/.test(value), "must be an email address", value),
  url: (value) => fault(typeof value === "string" && URL.canParse(value), "must be a URL such as https://example.com/path", value),
  select: (value, param) => fault(isScalar(value) && isOption(value, param), `must be one of ${optionList(param)}`, value),
  multiselect: (value, param) =>
    fault(
      Array.isArray(value) && value.every((one) => isScalar(one) && isOption(one, param)),
      `must be a list of any of ${optionList(param)}`,
      value,
    ),
  json: (value) => fault(typeof value !== "string" || isJson(value), "must be JSON", value),
} satisfies Record<string, Check>);

function fault(isRight: boolean, message: string, value: unknown): string | undefined {
  return isRight ? undefined : `${message}, but is ${describe(value)}`;
}

function lengthFault(param: AbstractParam, value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const { minValueLength: least, maxValueLength: most } = param;
  if (least != null && value.length < least) return `must have at least ${least} characters, but has ${value.length}`;
  return most != null && most > 0 && value.length > most ? `must have at most ${most} characters, but has ${value.length}` : undefined;
}

function isNumber(value: unknown): boolean {
  if (typeof value === "string") return value.trim() !== "" && Number.isFinite(Number(value));
  return typeof value === "number";
}

function isScalar(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** If there are no options, the choices of the form come from elsewhere (e.g. approver groups), so any value is accepted. */
function isOption(value: unknown, { options }: AbstractParam): boolean {
  return !options?.length || options.some(({ key }) => key === String(value));
}

function optionList({ options }: AbstractParam): string {
  const keys = (options ?? []).map(({ key }) => key);
  return keys.length > 20 ? `${keys.slice(0, 20).join(", ")} …` : keys.join(", ") || "its choices";
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A form field that was left blank is sent as empty text. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function describe(value: unknown): string {
  const text = JSON.stringify(value) ?? typeof value;
  return shorten(text, 80);
}

/** A parameter in its current form, as older or newer clients may send it. Members that are null count as left out. */
export function readParameter(request: AbstractParamRequest): AbstractParam {
  const { key, defaultValue, values, helperText, hiddenValue: _computed, ...present } = request;
  const named = {
    ...present,
    name: (present.name ?? key ?? "").trim(),
    default: present.default ?? defaultValue,
    value: present.value ?? values,
    helpertext: present.helpertext ?? helperText,
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined && value !== null)) as unknown as AbstractParam;
}

/** Why a parameter can't be stored; messages never repeat a secret. */
export function parameterFaults(parameter: AbstractParam): ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  if (parameter.name === "") faults.push({ path: "/name", message: "is missing or blank" });
  if (/\p{Cc}/u.test(parameter.name)) faults.push({ path: "/name", message: "must not contain control characters" });
  for (const member of ["value", "default"] as const) {
    const fault = valueFault(parameter, parameter[member]);
    if (fault !== undefined) faults.push({ path: `/${member}`, message: `of parameter "${parameter.name}" ${fault}` });
  }
  return faults;
}

function valueFault(parameter: AbstractParam, value: unknown): string | undefined {
  if (!isSecretParam(parameter)) return checkParamDefault({ ...parameter, default: value });
  return value === undefined || value === "" ? undefined : checkParamValue(parameter, value);
}
