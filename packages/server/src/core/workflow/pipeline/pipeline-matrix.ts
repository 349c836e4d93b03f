import type { Matrix } from "@millrace/contract/workflow/pipeline-definition.ts";
import { writeStep } from "../../parameter/references.ts";
import type { PipelineReport } from "./pipeline-report.ts";

/** The equivalent of a matrix: a list to run over, and the parameters that take their values from an item. */
export interface MatrixItems {
  forEach: { items: unknown[] | string; parallel: number };
  params: { name: string; value: string }[];
}

/** Tekton runs all combinations at once, and by default allows at most this many. */
const matrixLimit = 256;
const maxCombinations = 10_000;
/** Characters of all items together. */
const maxItemsLength = 4 * 1024 * 1024;

type List = { name: string; value: string[] };

/** Undefined if it can't be mapped; then the report says why. */
export function readMatrix({ params = [], include = [] }: Matrix, path: string, report: PipelineReport): MatrixItems | undefined {
  if ([...params, ...include.flatMap((entry) => entry.params ?? [])].some(({ name }) => name === "__proto__"))
    return refused(report, path, "has a parameter named __proto__, which is not allowed as a name");
  if (include.length > 0) return readInclude(params, include, path, report);
  const [only, ...others] = params;
  if (only === undefined) return refused(report, path, "has neither params nor include; give at least one parameter");
  if (others.length === 0 && (isReference(only.value) || Array.isArray(only.value))) return over(only.value, [only.name], true);
  const lists = params.flatMap(({ name, value }) => (isPlainList(value) ? [{ name, value }] : []));
  if (lists.length < params.length) {
    const at = params.findIndex(({ value }) => !isPlainList(value));
    const why = "must be a list of single values; a reference to a list works if the matrix has no other parameter";
    return refused(report, `${path}/params/${at}/value`, why);
  }
  return isTooLarge(lists)
    ? refused(report, path, `has too many combinations; at most ${maxCombinations} with together ${maxItemsLength} characters are possible`)
    : over(
        combine(lists),
        lists.map(({ name }) => name),
        false,
      );
}

/**
 * One run for each entry, which gives all parameters. In combination with `params`, Tekton would add it to combinations; that has no
 * equivalent here.
 */
function readInclude(params: unknown[], include: NonNullable<Matrix["include"]>, path: string, report: PipelineReport) {
  if (params.length > 0) return refused(report, `${path}/include`, "can't be used beside params; list all combinations in include");
  const items = include.map((entry) => Object.fromEntries((entry.params ?? []).map(({ name, value }) => [name, value])));
  const names = Object.keys(items[0] ?? {});
  const unclear = include.findIndex(({ params: given = [] }, at) => given.length > Object.keys(items[at] ?? {}).length || hasGap(given));
  if (unclear >= 0) return refused(report, `${path}/include/${unclear}/params`, "must have a value for each parameter, and name each once");
  const odd = items.findIndex((item) => Object.keys(item).sort().join("\n") !== [...names].sort().join("\n"));
  if (names.length === 0 || odd >= 0)
    return refused(report, `${path}/include/${Math.max(odd, 0)}/params`, "must give the same parameters in each entry");
  return over(items, names, false);
}

function hasGap(params: readonly { value?: unknown }[]): boolean {
  return params.some(({ value }) => value === undefined);
}

function over(items: unknown[] | string, names: readonly string[], isItem: boolean): MatrixItems {
  const params = names.map((name) => ({ name, value: isItem ? "$(params.item)" : `$(params.item${writeStep(name)})` }));
  return { forEach: { items, parallel: matrixLimit }, params };
}

function refused(report: PipelineReport, path: string, message: string): undefined {
  report.refuse(path, message);
  return undefined;
}

function isReference(value: unknown): value is string {
  return typeof value === "string" && value.includes("$(");
}

function isPlainList(value: unknown): value is string[] {
  return Array.isArray(value) && !value.some((item) => item.includes("[*]"));
}

function isTooLarge(lists: readonly List[]): boolean {
  const count = lists.reduce((product, { value }) => product * value.length, 1);
  if (count > maxCombinations) return true;
  const length = lists.reduce((sum, { name, value }) => {
    const own = value.reduce((characters, item) => characters + item.length + name.length, 0);
    return sum + (value.length === 0 ? 0 : (own * count) / value.length);
  }, 0);
  return length > maxItemsLength;
}

/** The last list changes fastest. The number of combinations is computed before any is created: an empty list makes it 0. */
function combine(lists: readonly List[]): Record<string, string>[] {
  let count = 1;
  const turns = lists.toReversed().map(({ name, value }) => {
    const turn = { name, value, every: count };
    count *= value.length;
    return turn;
  });
  turns.reverse();
  return Array.from({ length: count }, (_, index) =>
    Object.fromEntries(turns.map(({ name, value, every }) => [name, value[Math.floor(index / every) % value.length] as string])),
  );
}
