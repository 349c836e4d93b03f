import type { AbstractParam } from "@millrace/contract/common.ts";
import type { AbstractParamRequest } from "@millrace/contract/parameter.ts";
import type { ErrorDetail } from "../../base/error/app-error.ts";
import { checkParamDefault, checkParamValue } from "./parameters-check.ts";
import { isSecretParam } from "./secret-params.ts";

/** A parameter as older and newer clients write it, in its present form. Members that are null count as left out. */
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

/** What keeps a parameter from being stored; a secret is never repeated. */
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
