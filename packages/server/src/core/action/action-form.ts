import { maxActionFields, ownActionResults } from "@millrace/contract/action/action-fields.ts";
import { type AbstractParam, type KeyValuePair, paramFormTypes } from "@millrace/contract/common.ts";
import { nearestName } from "../../base/text/nearest-name.ts";
import { oneLine } from "../outbound/mail/render-mail.ts";
import { checkParamValue } from "../parameter/parameters-check.ts";
import { type ActionAttachment, type ActionForm, type ActionLink, textParam } from "../task/task-type.ts";

/**
 * What an approval or a manual task shows to people and which input it asks for, from its parameters: a title, fields, links, and texts and
 * logs to look at. Pure. Instructions are separate (tasks/action-task.ts). It is read when the action is opened, and stored with it, so
 * that people decide on what they have seen. A declaration is a list, or JSON of one. It is not YAML, in which a value from a reference
 * could add a field.
 */

const maxTitleLength = 200;
const maxLabelLength = 200;
const maxElements = 20;
/** Every list of actions contains them. */
const maxFieldsLength = 20_000;
const maxAttachedLength = 100_000;

/** @returns a sentence if a parameter can't be read */
export function readActionForm(params: ReadonlyMap<string, unknown>): ActionForm | string {
  try {
    return {
      title: readTitle(params),
      fields: readFields(params),
      links: readList(params, "links", maxElements).map(readLink),
      attachments: readAttachments(params),
    };
  } catch (error) {
    if (error instanceof FormFault) return error.message;
    throw error;
  }
}

class FormFault extends Error {}

function readTitle(params: ReadonlyMap<string, unknown>): string | null {
  const text = oneLine(textParam(params, "title") ?? "", Number.POSITIVE_INFINITY);
  requireLength("title", text, maxTitleLength, "characters");
  return text || null;
}

function requireLength(name: string, text: string, most: number, what: string): void {
  if (text.length > most) throw new FormFault(`Parameter "${name}" has ${text.length} ${what}; at most ${most} are allowed`);
}

type Element = Readonly<Record<string, unknown>>;

function readList(params: ReadonlyMap<string, unknown>, name: string, most: number): { place: string; element: Element }[] {
  const list = listOf(params.get(name));
  if (list === undefined) throw new FormFault(`Parameter "${name}" must be a list, or JSON of one`);
  if (list.length > most) throw new FormFault(`Parameter "${name}" has ${list.length} elements; at most ${most} are allowed`);
  return list.map((element: unknown, index) => {
    const place = `Parameter "${name}", element ${index + 1}`;
    if (typeof element !== "object" || element === null || Array.isArray(element)) throw new FormFault(`${place}: must be an object`);
    return { place, element: element as Element };
  });
}

function listOf(value: unknown): unknown[] | undefined {
  if (value === undefined || value === null) return [];
  if (typeof value !== "string") return Array.isArray(value) ? value : undefined;
  if (value.trim() === "") return [];
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** The value of a text member; undefined if it is left out. */
function textOf({ place, element }: { place: string; element: Element }, member: string, most: number): string | undefined {
  const value = Object.hasOwn(element, member) ? element[member] : undefined;
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value !== "string") throw new FormFault(`${place}: "${member}" must be a text`);
  if (value.length > most) throw new FormFault(`${place}: "${member}" has ${value.length} characters; at most ${most} are allowed`);
  return value;
}

const textMembers = { label: maxLabelLength, description: 1000, helpertext: 1000, placeholder: 200, language: 50 } as const;
const fieldMembers = [
  ...["name", "type", "default", "required", "options", "minValueLength", "maxValueLength"],
  ...Object.keys(textMembers),
] as const;
const fieldTypes: readonly string[] = paramFormTypes.filter((type) => type !== "password" && type !== "secret");

function readFields(params: ReadonlyMap<string, unknown>): AbstractParam[] {
  const seen = new Set<string>();
  const fields = readList(params, "fields", maxActionFields).map((item) => {
    const name = textOf(item, "name", 250);
    if (name === undefined) throw new FormFault(`${item.place}: "name" is missing`);
    const place = `Parameter "fields", field "${name}"`;
    requireName(place, name, seen);
    seen.add(name);
    return readField({ place, element: item.element }, name);
  });
  requireLength("fields", JSON.stringify(fields), maxFieldsLength, "characters");
  return fields;
}

/** The name becomes the name of a result, to which other tasks refer. */
function requireName(place: string, name: string, seen: ReadonlySet<string>): void {
  if (!/^[A-Za-z_][\w-]{0,99}$/.test(name)) {
    throw new FormFault(`${place}: "name" must begin with a letter and have only letters, digits, _ and -, at most 100`);
  }
  // Requests can't have a member of this name, so the field could never be filled in.
  if (name === "__proto__") throw new FormFault(`${place}: this name is not allowed`);
  if ((ownActionResults as readonly string[]).includes(name)) throw new FormFault(`${place}: the task has a result of this name already`);
  if (seen.has(name)) throw new FormFault(`${place}: another field has this name`);
}

function readField(item: { place: string; element: Element }, name: string): AbstractParam {
  const { place, element } = item;
  const stray = Object.keys(element).find((member) => !(fieldMembers as readonly string[]).includes(member));
  if (stray !== undefined) {
    const meant = nearestName(stray, fieldMembers) ?? undefined;
    throw new FormFault(`${place}: there is no member "${stray}"${meant === undefined ? "" : `; did you mean ${meant}?`}`);
  }
  const options = readOptions(item);
  const field: AbstractParam = {
    name,
    type: readType(item, options),
    ...texts(item),
    ...(element["default"] != null && element["default"] !== "" && { default: element["default"] }),
    ...(readFlag(item, "required") && { required: true }),
    ...(options.length > 0 && { options }),
    ...length(item, "minValueLength"),
    ...length(item, "maxValueLength"),
  };
  const fault = field.default === undefined ? undefined : checkParamValue(field, field.default);
  if (fault !== undefined) throw new FormFault(`${place}: the default ${fault}`);
  return field;
}

function texts(item: { place: string; element: Element }): Partial<AbstractParam> {
  const found = Object.entries(textMembers).map(([member, most]) => [member, textOf(item, member, most)] as const);
  return Object.fromEntries(found.filter(([, text]) => text !== undefined));
}

/** A field for a secret is refused: its value would become a result, which everyone who can read the run can read. */
function readType(item: { place: string; element: Element }, options: readonly KeyValuePair[]): string {
  const type = textOf(item, "type", 100) ?? "text";
  if (type === "password" || type === "secret") {
    throw new FormFault(`${item.place}: a field can't be a secret, since results can be read; use a secret parameter of the team`);
  }
  if (!fieldTypes.includes(type)) throw new FormFault(`${item.place}: "type" is "${type}"; it must be one of ${fieldTypes.join(", ")}`);
  if ((type === "select" || type === "multiselect") && options.length === 0) {
    throw new FormFault(`${item.place}: a ${type} needs "options"`);
  }
  return type;
}

function readOptions({ place, element }: { place: string; element: Element }): KeyValuePair[] {
  const { options = [] } = element;
  const list = Array.isArray(options) ? options.map(readOption) : [undefined];
  if (list.some((option) => option === undefined)) {
    throw new FormFault(`${place}: "options" must be a list of texts, or of objects with "key" and "value"`);
  }
  return list as KeyValuePair[];
}

function readOption(option: unknown): KeyValuePair | undefined {
  if (typeof option === "string") return { key: option };
  const { key, value } = (option ?? {}) as { key?: unknown; value?: unknown };
  if (typeof key !== "string" || (value != null && typeof value !== "string")) return undefined;
  return { key, ...(typeof value === "string" && { value }) };
}

function readFlag({ place, element }: { place: string; element: Element }, member: string): boolean {
  const value = element[member] ?? false;
  if (value === true || value === "true") return true;
  if (value === false || value === "false" || value === "") return false;
  throw new FormFault(`${place}: "${member}" must be true or false`);
}

function length({ place, element }: { place: string; element: Element }, member: "minValueLength" | "maxValueLength") {
  const value = element[member];
  if (value === undefined || value === null) return {};
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0)
    throw new FormFault(`${place}: "${member}" must be a whole number`);
  return { [member]: value };
}

const linkSchemes = ["https:", "http:", "mailto:"];

function readLink(item: { place: string; element: Element }): ActionLink {
  const url = textOf(item, "url", 2000);
  const parsed = url !== undefined && URL.canParse(url) ? new URL(url) : undefined;
  if (url === undefined || parsed === undefined || !linkSchemes.includes(parsed.protocol)) {
    throw new FormFault(`${item.place}: "url" must be a URL that begins with https:, http: or mailto:`);
  }
  if (parsed.password !== "") throw new FormFault(`${item.place}: "url" must not have a password`);
  return { label: oneLine(textOf(item, "label", maxLabelLength) ?? url, maxLabelLength), url: parsed.href };
}

function readAttachments(params: ReadonlyMap<string, unknown>): ActionAttachment[] {
  const attachments = readList(params, "attachments", maxElements).map(readAttachment);
  const attached = attachments.reduce((sum, one) => sum + ("text" in one ? one.text.length : 0), 0);
  if (attached > maxAttachedLength) {
    throw new FormFault(`Parameter "attachments" has ${attached} characters of text; at most ${maxAttachedLength} are allowed`);
  }
  return attachments;
}

function readAttachment(item: { place: string; element: Element }): ActionAttachment {
  const { place, element } = item;
  const log = textOf(item, "log", 250);
  const text = element["text"] ?? undefined;
  if ((log === undefined) === (text === undefined)) throw new FormFault(`${place}: needs either "text" or "log"`);
  const label = textOf(item, "label", maxLabelLength) ?? log;
  if (label === undefined) throw new FormFault(`${place}: "label" is missing`);
  if (log !== undefined) return { label, log };
  return { label, text: typeof text === "string" ? text : JSON.stringify(text, null, 2) };
}
