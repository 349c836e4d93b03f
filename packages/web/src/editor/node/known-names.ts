import { type DraftTask, isMarker } from "../draft/draft.ts";
import type { KnownNames } from "./expressions.ts";

interface NamedParts {
  tasks: readonly Pick<DraftTask, "name" | "type">[];
  params: readonly { name: string }[];
}

/**
 * The names of a draft's tasks and parameters. A parameter without a level may come from any level, or from the system.
 * @param saved from the endpoint available-parameters
 * @param own parameters of the task itself, which count as well
 */
export function knownNames({ tasks, params }: NamedParts, saved: readonly string[], own: readonly { name: string }[] = []): KnownNames {
  const others = saved.flatMap((each) => /^(?:\w+\.)?params(?:\.([^.[]+)|\['([^']*)'\]|\["([^"]*)"\])/.exec(each)?.slice(1) ?? []);
  return {
    tasks: new Set(tasks.filter((each) => !isMarker(each)).map(({ name }) => name)),
    params: new Set([...params.map(({ name }) => name), ...others.filter(Boolean), ...own.map(({ name }) => name), "item", "item-index"]),
  };
}
