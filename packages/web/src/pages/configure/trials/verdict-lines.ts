import type { TriggerTest } from "../../../api/queries/workflow/workflows.ts";
import { filterPhrase } from "../../../components/event-filters/filter-tree.ts";
import { t } from "../../../texts/workflow/triggers.ts";
import type { Condition, Trigger } from "../triggers/trigger-draft.ts";

/** One condition or filter in words, with its outcome. */
export interface VerdictLine {
  path: string;
  /** 0 outside groups. */
  depth: number;
  holds: boolean;
  phrase: string;
  /** The actual value, if the condition doesn't match. */
  found: string | undefined;
}

const operations: Readonly<Record<Condition["operation"], string>> = { equals: "is", in: t("verdictLines.isOf"), matches: "matches" };

/** @param trigger the trigger that was checked, as it was sent */
export function verdictLines(trigger: Trigger, { checks, attributes }: TriggerTest): VerdictLine[] {
  const folded = foldedPaths(checks);
  return checks
    .filter(({ path }) => !folded.includes(path))
    .map(({ path, holds, found }) => {
      const part = partAt(trigger, path);
      const isCondition = path.startsWith("/conditions/");
      return {
        path,
        depth: depthOf(path, folded),
        holds,
        phrase: isCondition ? conditionPhrase(part as Condition) : filterPhrase(part),
        found: holds ? undefined : isCondition ? foundWords(found ?? []) : foundAttributes(part, attributes),
      };
    });
}

/** "None of these" is one line for the reader: the `any` inside `not` gets no line of its own. */
function foldedPaths(checks: TriggerTest["checks"]): string[] {
  const paths = checks.map(({ path }) => path);
  return paths.filter((path) => path.endsWith("/not") && paths.includes(`${path}/any/1`));
}

function depthOf(path: string, folded: readonly string[]): number {
  const groups = path.split("/").filter((segment) => ["all", "any", "not"].includes(segment)).length;
  return groups - folded.filter((one) => path.startsWith(`${one}/any/`)).length;
}

/** Undefined if the trigger has changed since the check. */
function partAt(trigger: Trigger, path: string): unknown {
  return path
    .split("/")
    .slice(1)
    .reduce<unknown>(
      (part, member) => (typeof part === "object" && part !== null ? (part as Record<string, unknown>)[member] : undefined),
      trigger,
    );
}

function conditionPhrase(condition: Condition | undefined): string {
  if (condition === undefined) return t("verdictLines.removedCondition");
  const { field, operation, value, values } = condition;
  return `${field} ${operations[operation]} ${operation === "in" ? (values ?? []).join(", ") : (value ?? "")}`;
}

function foundWords(found: readonly string[]): string {
  return found.length === 0 ? t("verdictLines.noValueWasFound") : t("verdictLines.value", { found: found.join(", ") });
}

/** The values of the attributes that a filter itself names. */
function foundAttributes(filter: unknown, attributes: Readonly<Record<string, unknown>>): string | undefined {
  const { exact, prefix, suffix } = (filter ?? {}) as Record<string, Record<string, string> | undefined>;
  const names = Object.keys(exact ?? prefix ?? suffix ?? {});
  if (names.length === 0) return undefined;
  const words = names.map((name) =>
    attributes[name] === undefined
      ? t("verdictLines.thereName", { name })
      : t("verdictLines.is", { name, attribute: String(attributes[name]) }),
  );
  return words.join(", ");
}
