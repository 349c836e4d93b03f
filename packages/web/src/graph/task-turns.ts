/** When a task runs: in the flow of its workflow, or afterwards as a handler or to undo another task. */
export type TaskTurn = "flow" | "compensation" | "onFailure" | "finally";

export interface TurnTask {
  name: string;
  handler?: string | null | undefined;
  compensatedBy?: string | null | undefined;
}

/** By name. */
export function turnsOf(tasks: readonly TurnTask[]): Map<string, TaskTurn> {
  const undoing = undoneBy(tasks);
  return new Map(tasks.map((task) => [task.name, turnOf(task, undoing)]));
}

function turnOf({ name, handler }: TurnTask, undoing: ReadonlyMap<string, string>): TaskTurn {
  if (handler === "finally" || handler === "onFailure") return handler;
  return undoing.has(name) ? "compensation" : "flow";
}

/** Maps the name of each compensation to the task it undoes. */
export function undoneBy(tasks: readonly TurnTask[]): Map<string, string> {
  return new Map(tasks.flatMap(({ name, compensatedBy }) => (compensatedBy ? [[compensatedBy, name] as const] : [])));
}
