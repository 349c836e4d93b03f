import type { RunParam } from "../common.ts";

/**
 * The parameter of an approval or a manual task that declares the fields people fill in. The value of each field becomes a result of the
 * task.
 */
export const fieldsParameter = "fields";

/** Results that every approval or manual task has; no field can have one of these names. */
export const ownActionResults = [
  "approvalStatus",
  "approvalDate",
  "approvalUserName",
  "approvalUserEmail",
  "approvalComments",
  "actionRef",
] as const;

/** The most fields that can be declared. */
export const maxActionFields = 50;

/** Whether tasks of this type open an action, and can have fields. */
export function opensAction(type: string | undefined | null): boolean {
  return type === "approval" || type === "manual";
}

/**
 * Names of the fields that a node declares, as far as they can be read; problems with the others are reported elsewhere. Undefined if only
 * a run can know them: the declaration has references outside of strings.
 */
export function actionFieldNames(params: readonly RunParam[]): string[] | undefined {
  const declared = params.find(({ name }) => name === fieldsParameter)?.value;
  const list = typeof declared === "string" && declared.trim() !== "" ? parsed(declared) : (declared ?? []);
  if (list === undefined) return undefined;
  if (!Array.isArray(list)) return [];
  return list.flatMap((field: unknown) => {
    const name = typeof field === "object" && field !== null && "name" in field ? field.name : undefined;
    return typeof name === "string" && name !== "" ? [name] : [];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
