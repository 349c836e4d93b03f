import { type DraftTask, isMarker } from "../draft/draft.ts";
import type { KnownNames } from "./expressions.ts";

interface NamedParts {
  tasks: readonly Pick<DraftTask, "name" | "type">[];
  params: readonly { name: string }[];
}

/**
 * What the tasks and parameters of a draft are called. A parameter without a level may be that of any level, or the system's.
 * @param saved of the endpoint available-parameters
 * @param own parameters of the task itself, which count as well
 */
export function knownNames({ tasks, params }: NamedParts, saved: readonly string[], own: readonly { name: string }[] = []): KnownNames {
  const others = saved.flatMap((each) => /^(?:\w+\.)?params(?:\.([^.[]+)|\['([^']*)'\]|\["([^"]*)"\])/.exec(each)?.slice(1) ?? []);
  return {
    tasks: new Set(tasks.filter((each) => !isMarker(each)).map(({ name }) => name)),
    params: new Set([...params.map(({ name }) => name), ...others.filter(Boolean), ...own.map(({ name }) => name), "item", "item-index"]),
  };
}
