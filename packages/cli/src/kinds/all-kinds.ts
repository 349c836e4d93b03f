import { exitCodes, Failure } from "../failure.ts";
import { taskKind, templateKind, workflowKind } from "./definitions.ts";
import type { Kind } from "./kind.ts";
import { teamKind, tokenKind, userKind } from "./people.ts";
import { parameterKind, scheduleKind, subscriptionKind } from "./settings.ts";

/** In the order in which they are exported: each can refer to those before it. */
export const allKinds = [
  teamKind,
  parameterKind,
  taskKind,
  templateKind,
  workflowKind,
  scheduleKind,
  subscriptionKind,
  tokenKind,
  userKind,
] as readonly (Kind<never> | Kind)[] as readonly Kind[];

export const kindNames = allKinds.map(({ name }) => name);

export function isKind(word: string): boolean {
  return kindOf(word) !== undefined;
}

function kindOf(word: string): Kind | undefined {
  return allKinds.find(({ name, plural }) => name === word.toLowerCase() || plural === word.toLowerCase());
}

/** @throws {Failure} when there is no such kind */
export function findKind(word: string): Kind {
  const kind = kindOf(word);
  if (kind === undefined) throw new Failure(exitCodes.notUnderstood, `There is no kind ${word}`, `Known: ${kindNames.join(", ")}`);
  return kind;
}
