import { type Draft, type DraftTask, isMarker } from "../draft/draft.ts";
import type { KnownNames } from "./expressions.ts";

/**
 * What the tasks and parameters of a draft are called. A parameter without a level may be that of any level, or the system's.
 * @param saved of the endpoint available-parameters
 * @param task its own parameters count as well
 */
export function knownNames({ tasks, params }: Draft, saved: readonly string[], task?: DraftTask): KnownNames {
  const others = saved.flatMap((each) => /^(?:\w+\.)?params(?:\.([^.[]+)|\['([^']*)'\]|\["([^"]*)"\])/.exec(each)?.slice(1) ?? []);
  const own = (task?.params ?? []).map(({ name }) => name);
  return {
    tasks: new Set(tasks.filter((each) => !isMarker(each)).map(({ name }) => name)),
    params: new Set([...params.map(({ name }) => name), ...others.filter(Boolean), ...own, "item", "item-index"]),
  };
}
