import type { AbstractParam, RunParam } from "@millrace/contract/common.ts";
import type { ErrorDetail } from "../../base/error/app-error.ts";
import { membersOf } from "../../base/text/json-text.ts";
import { isSecretParam } from "../parameter/secret-params.ts";
import { inputAction } from "./run-dialog.ts";

/**
 * What somebody has given in the dialog, as parameters of a run; what was left empty is left out, so that its default holds. A
 * dialog may be older than the workflow's present version, or not of our making: only what the workflow declares is taken, and no
 * secret.
 *
 * @param values `view.state.values` of the platform
 */
export function readDialog(values: unknown, declared: readonly AbstractParam[]): RunParam[] {
  const blocks = membersOf(values);
  return declared
    .filter((param) => !isSecretParam(param) && Object.hasOwn(blocks, param.name))
    .map((param) => ({ name: param.name, value: givenValue(membersOf(membersOf(blocks[param.name])[inputAction]), param) }))
    .filter(({ value }) => value !== undefined);
}

function givenValue(state: Readonly<Record<string, unknown>>, { type }: AbstractParam): unknown {
  const chosen = state["selected_options"];
  if (Array.isArray(chosen)) return chosen.length === 0 ? undefined : chosen.map((one) => membersOf(one)["value"]);
  const text = state["value"] ?? membersOf(state["selected_option"])["value"];
  if (typeof text !== "string" || text === "") return undefined;
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  if (type === "multiselect") return text.split(",").map((part) => part.trim());
  return type === "number" && String(Number(text)) === text ? Number(text) : text;
}

/**
 * Which input each fault is about: by the index of its path, or by the name that its message quotes. Undefined when one of them is
 * about none that the dialog has.
 */
export function dialogErrors(
  details: readonly ErrorDetail[],
  given: readonly RunParam[],
  blocks: readonly string[],
): Record<string, string> | undefined {
  const named = details.map(({ path, message }) => {
    const index = /^\/params\/(\d+)\//.exec(path)?.[1];
    const name = index === undefined ? blocks.find((block) => message.startsWith(`parameter "${block}" `)) : given[Number(index)]?.name;
    return { name, message };
  });
  if (named.length === 0 || named.some(({ name }) => name === undefined || !blocks.includes(name))) return undefined;
  return Object.fromEntries(named.map(({ name, message }) => [name as string, message]));
}
