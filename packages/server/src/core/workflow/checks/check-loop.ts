import {
  maxConditionPatterns,
  maxConditionValue,
  maxPauseSeconds,
  maxRoundsOfLoop,
  onLimitChoices,
} from "@millrace/contract/workflow/loop.ts";
import { conditionLines, conditionProblem } from "../../parameter/condition.ts";

type Condition = { value: string; matches: string };

/** A loop as it was sent, before any of it was checked. */
export interface LoopDraft {
  while?: Condition | null;
  until?: Condition | null;
  maxRounds?: number | null;
  pauseSeconds?: number | null;
  stopAtFailure?: boolean | null;
  onLimit?: string | null;
}

interface LoopedNode {
  name: string;
  type?: string | null;
  forEach?: unknown;
  loop?: LoopDraft | null;
}

/** Problems with the loop of a node: for each, the member and what it must be. */
export function loopProblems({ loop, forEach, type, name }: LoopedNode, isMarker: boolean): [string, string][] {
  if (!loop) return [];
  if (isMarker || type === "decision") {
    const why = isMarker ? "" : ": its links could not choose";
    return [["loop", `is not supported for a ${type ?? name}${why}`]];
  }
  const checks: [boolean, string, string][] = [
    [!forEach, "loop", "can't be combined with forEach; put one of them into a workflow of its own that the other one runs"],
    [(loop.while == null) !== (loop.until == null), "loop", "must have either while or until"],
    [isWhole(loop.maxRounds, 1, maxRoundsOfLoop), "loop/maxRounds", `must be a whole number from 1 to ${maxRoundsOfLoop}`],
    [isWhole(loop.pauseSeconds, 0, maxPauseSeconds), "loop/pauseSeconds", `must be 0 to ${maxPauseSeconds} whole seconds (a week)`],
    [isKnown(loop.onLimit), "loop/onLimit", `must be ${onLimitChoices.join(" or ")}`],
    [loop.stopAtFailure == null || typeof loop.stopAtFailure === "boolean", "loop/stopAtFailure", "must be true or false"],
  ];
  const wrong = checks.filter(([isRight]) => !isRight).map(([, member, must]): [string, string] => [member, must]);
  return [...wrong, ...conditionProblems("while", loop), ...conditionProblems("until", loop)];
}

function conditionProblems(kind: "while" | "until", loop: LoopDraft): [string, string][] {
  const condition = loop[kind] as Partial<Condition> | null | undefined;
  if (condition == null) return [];
  const { value, matches } = condition;
  if (!isText(value, maxConditionValue))
    return [[`loop/${kind}/value`, `must be text with 1 to ${maxConditionValue} characters, such as "$(loop.previous.results.state)"`]];
  if (!isText(matches, maxConditionPatterns) || conditionLines(matches).length === 0)
    return [[`loop/${kind}/matches`, `must be regular expressions with 1 to ${maxConditionPatterns} characters, one per line`]];
  const fault = conditionProblem(matches);
  return fault === undefined ? [] : [[`loop/${kind}/matches`, fault]];
}

function isText(text: unknown, most: number): text is string {
  return typeof text === "string" && text.length > 0 && text.length <= most;
}

function isKnown(choice: unknown): boolean {
  return choice == null || (onLimitChoices as readonly unknown[]).includes(choice);
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return value == null || (Number.isInteger(value) && (value as number) >= least && (value as number) <= most);
}
