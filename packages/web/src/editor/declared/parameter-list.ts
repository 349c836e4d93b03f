import { kindOf, type Param } from "../../forms/parameter-values.ts";
import { t } from "../../texts/workflow/configure.ts";

/** A parameter with a number that stays the same while its name is edited. */
export interface NumberedParam {
  number: number;
  param: Param;
}

export function numbered(params: readonly Param[]): NumberedParam[] {
  return params.map((param, index) => ({ number: index + 1, param }));
}

/** `parameter`, `parameter-2` and so on: the first name that is not in use. */
export function freshName(list: readonly NumberedParam[]): string {
  const names = new Set(list.map(({ param }) => param.name));
  for (let count = 1; ; count++) {
    const name = count === 1 ? "parameter" : `parameter-${count}`;
    if (!names.has(name)) return name;
  }
}

/** Why the list can't be saved. */
export function paramsFault(list: readonly NumberedParam[]): string | undefined {
  const names = list.map(({ param }) => param.name);
  if (names.some((name) => name.trim() === "")) return t("parameterList.everyParameterNeedsName");
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? undefined : t("parameterList.twoParametersHaveName", { twice });
}

/** The problem with the name of one parameter, shown at its field while the user types. */
export function nameFault(list: readonly NumberedParam[], { number, param }: NumberedParam): string | undefined {
  if (param.name.trim() === "") return t("parameterList.nameMissing");
  const isTaken = list.some((other) => other.number !== number && other.param.name === param.name);
  return isTaken ? t("parameterList.nameTaken") : undefined;
}

const empties: readonly unknown[] = ["", undefined, null, false];

/** Removes members without effect and converts the default to the parameter's type. An empty secret keeps the stored one. */
export function cleanParam(param: Param): Param {
  const { name, ...rest } = param;
  const kept = Object.entries(rest).filter(([key, value]) => key === "default" || !empties.includes(value));
  const { default: value, ...others } = Object.fromEntries(kept) as Omit<Param, "name">;
  const hasOptions = ["select", "multiselect"].includes(kindOf(param));
  const options = hasOptions && others.options ? { options: others.options.filter(({ key }) => key !== "") } : {};
  if (!hasOptions) delete others.options;
  const isEmpty = value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
  return { name, ...others, ...options, ...(!isEmpty && { default: value }) };
}
