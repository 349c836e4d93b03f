import type { AbstractParam, RunParam } from "@millrace/contract/common.ts";
import type { ErrorDetail } from "../../base/error/app-error.ts";
import { membersOf } from "../../base/text/json-text.ts";
import { isSecretParam } from "../parameter/secret-params.ts";
import { clipChatText, escapeChatText } from "./chat-text.ts";

/**
 * The dialog for entering the parameters of a run. Each parameter is an input block whose id is its name, so that values and errors can be
 * assigned without storing the dialog. The maximum lengths are the platform's.
 */
export const runDialogId = "run-workflow";
/** The id of the only action in each input. */
const inputAction = "value";

const maxParams = 90;
const maxOptions = 100;
const maxOptionText = 75;
const maxOptionValue = 150;
const maxInput = 3000;

interface DialogWorkflow {
  id: string;
  displayName: string;
  teamName: string;
  params: readonly AbstractParam[];
}

/** Why this workflow can't be started by a dialog; undefined if it can. */
export function dialogRefusal(params: readonly AbstractParam[]): string | undefined {
  const secret = params.find((param) => isSecretParam(param) && param.required && isLeftOut(defaultOf(param)));
  if (secret) return `its parameter "${secret.name}" is a secret without a default, and secrets don't belong in a chat`;
  if (askedFor(params).length > maxParams) return `it has more than ${maxParams} parameters, too many for a dialog`;
  return undefined;
}

export function buildRunDialog({ id, displayName, teamName, params }: DialogWorkflow): Record<string, unknown> {
  const secrets = params.filter(isSecretParam).map(({ name }) => name);
  return {
    type: "modal",
    callback_id: runDialogId,
    private_metadata: id,
    title: plain("Run a workflow", 24),
    submit: plain("Run", 24),
    close: plain("Cancel", 24),
    blocks: [
      markup(`*${escapeChatText(displayName, 500)}* of team ${escapeChatText(teamName, 300)}`),
      ...askedFor(params).map(inputBlock),
      ...(secrets.length > 0 ? [markup(`Secrets keep what is stored: ${escapeChatText(secrets.join(", "), 1000)}`)] : []),
    ],
  };
}

/** The parameters to ask for: no secrets, and none that are read-only. */
function askedFor(params: readonly AbstractParam[]): AbstractParam[] {
  return params.filter((param) => !isSecretParam(param) && param.readOnly !== true && param.disabled !== true);
}

/** An input block whose id is the name of the parameter. */
export function inputBlock(param: AbstractParam): Record<string, unknown> {
  const hint = param.helpertext || param.description;
  return {
    type: "input",
    block_id: param.name,
    optional: !(param.required && isLeftOut(defaultOf(param))),
    label: plain(param.label || param.name, 2000),
    ...(hint && { hint: plain(hint, 2000) }),
    element: { ...elementOf(param), action_id: inputAction },
  };
}

function elementOf(param: AbstractParam): Record<string, unknown> {
  const preset = textOf(defaultOf(param));
  switch (param.type) {
    case "number":
      return { type: "number_input", is_decimal_allowed: true, ...(isNumeric(preset) && { initial_value: preset }) };
    case "boolean":
      return select("static_select", [option("true", "Yes"), option("false", "No")], preset === undefined ? [] : [preset]);
    case "select":
    case "multiselect":
      return choice(param) ?? input(param, preset);
    case "email":
      return { type: "email_text_input", ...(preset?.includes("@") && { initial_value: preset }) };
    case "url":
      return { type: "url_text_input", ...(preset !== undefined && URL.canParse(preset) && { initial_value: preset }) };
    default:
      return input(param, preset);
  }
}

function input({ type = "text", placeholder, maxValueLength, minValueLength }: AbstractParam, preset: string | undefined) {
  return {
    type: "plain_text_input",
    multiline: type === "textarea" || type === "json" || type.startsWith("texteditor"),
    ...(placeholder && { placeholder: plain(placeholder, 150) }),
    ...(preset !== undefined && preset.length <= maxInput && { initial_value: preset }),
    ...(minValueLength && minValueLength <= maxInput && { min_length: minValueLength }),
    ...(maxValueLength && maxValueLength <= maxInput && { max_length: maxValueLength }),
  };
}

/** Undefined if there are more or longer options than a dialog allows: then the value is typed, and checked when it is submitted. */
function choice(param: AbstractParam): Record<string, unknown> | undefined {
  const options = param.options ?? [];
  const fits = options.length > 0 && options.length <= maxOptions && options.every(({ key }) => key !== "" && key.length <= maxOptionValue);
  if (!fits) return undefined;
  const preset = defaultOf(param);
  const chosen = (Array.isArray(preset) ? preset : [preset]).map(textOf).filter((one) => one !== undefined);
  const type = param.type === "select" ? "static_select" : "multi_static_select";
  return select(
    type,
    options.map(({ key, value }) => option(key, String(value || key))),
    chosen,
  );
}

type Option = ReturnType<typeof option>;

function select(type: "static_select" | "multi_static_select", options: Option[], chosen: readonly string[]) {
  const initial = options.filter(({ value }) => chosen.includes(value));
  const preset = type === "static_select" ? { initial_option: initial[0] } : { initial_options: initial };
  return { type, options, ...(initial.length > 0 && preset) };
}

function option(value: string, text: string) {
  return { text: plain(text, maxOptionText), value };
}

function plain(text: string, maxLength: number) {
  return { type: "plain_text", text: clipChatText(text, maxLength), emoji: false };
}

function markup(text: string) {
  return { type: "section", text: { type: "mrkdwn", text, verbatim: true } };
}

function defaultOf(param: AbstractParam): unknown {
  return param.default ?? param.value;
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function textOf(value: unknown): string | undefined {
  if (isLeftOut(value)) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function isNumeric(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== "" && Number.isFinite(Number(text));
}

/**
 * The input from the dialog as parameters of a run; empty inputs are left out, so that the defaults apply. A dialog may be older than the
 * current version of the workflow, or not from us: only parameters that the workflow declares are accepted, and no secrets.
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
 * Finds the input for each fault: by the index in its path, or by the name that its message quotes. Undefined if one of them belongs to no
 * input of the dialog.
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
