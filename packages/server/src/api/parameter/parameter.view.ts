import type { AbstractParam } from "@millrace/contract/common.ts";
import { maskParams } from "../../core/parameter/secret-params.ts";

/** Parameters as they are read: secrets are empty. */
export function viewParameters(parameters: readonly AbstractParam[]): AbstractParam[] {
  return maskParams(parameters).map((parameter) => ({ ...parameter, readOnly: parameter.readOnly ?? false }));
}

export function viewParameter(parameter: AbstractParam): AbstractParam {
  return viewParameters([parameter])[0]!;
}
