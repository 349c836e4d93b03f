import { kindOf, type Param } from "../../forms/parameter-values.ts";
import { t } from "../../texts/workflow/configure.ts";

/** With a number that stays while its name is typed. */
export interface NumberedParam {
  number: number;
  param: Param;
}

export function numbered(params: readonly Param[]): NumberedParam[] {
  return params.map((param, index) => ({ number: index + 1, param }));
}

/** `parameter`, `parameter-2` and so on: the first that is free. */
export function freshName(list: readonly NumberedParam[]): string {
  const names = new Set(list.map(({ param }) => param.name));
  for (let count = 1; ; count++) {
    const name = count === 1 ? "parameter" : `parameter-${count}`;
    if (!names.has(name)) return name;
  }
}

/** What keeps the list from being saved. */
export function paramsFault(list: readonly NumberedParam[]): string | undefined {
  const names = list.map(({ param }) => param.name);
  if (names.some((name) => name.trim() === "")) return t("parameterList.everyParameterNeedsName");
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? undefined : t("parameterList.twoParametersHaveName", { twice });
}

/** What is wrong with the name of one of them: at its field, while it is typed. */
export function nameFault(list: readonly NumberedParam[], { number, param }: NumberedParam): string | undefined {
  if (param.name.trim() === "") return t("parameterList.nameMissing");
  const isTaken = list.some((other) => other.number !== number && other.param.name === param.name);
  return isTaken ? t("parameterList.nameTaken") : undefined;
}

const empties: readonly unknown[] = ["", undefined, null, false];

/** Without members that say nothing; a default of its kind. An empty secret keeps the one that is stored. */
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
