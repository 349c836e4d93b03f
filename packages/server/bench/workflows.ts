interface Node {
  name: string;
  type: string;
  taskRef: string;
  params: { name: string; value: unknown }[];
  annotations?: Record<string, string>;
  dependencies?: { taskRef: string; executionCondition: string }[];
  forEach?: { items: unknown; parallel: number };
}

export interface BenchWorkflow {
  name: string;
  tasks: Node[];
}

/** Of the team that the benchmark makes. */
export const externalTask = "bench-external";

const kinds = {
  /** A task of the engine itself: sets a result of the run. */
  pure: (name: string): Node => ({
    name,
    type: "setwfproperty",
    taskRef: "set-result-parameter",
    params: [
      { name: "output", value: "last" },
      { name: "value", value: name },
    ],
  }),
  /** A function of a program outside of the service. */
  external: (name: string): Node => ({ name, type: "custom", taskRef: externalTask, params: [{ name: "name", value: name }] }),
  /** The smallest process: a shell that exits immediately. */
  script: (name: string): Node => ({ name, type: "script", taskRef: "execute-shell", params: [{ name: "script", value: ":" }] }),
};

const functions = {
  javascript: "export default async function ({ count }) { return { count: count + 1 }; }",
  python: 'def main(params, context):\n    return {"count": params["count"] + 1}',
} as const;
export type FunctionKind = keyof typeof functions;

/** The smallest function of that language, as a task of the team. */
export function functionTask(language: FunctionKind) {
  return {
    name: `count-in-${language}`,
    type: "script",
    annotations: { "millrace.dev/language": language, "millrace.dev/keep-alive": "true" },
    spec: { params: [{ name: "count", type: "number" }], script: functions[language] },
  };
}

/** This many uses of it one after the other. @param isKept all in the same sandbox, otherwise each in a fresh one */
export function functionChain(language: FunctionKind, length: number, isKept: boolean): BenchWorkflow {
  const tasks = Array.from(
    { length },
    (_, index): Node => ({
      name: `step-${index + 1}`,
      type: "script",
      taskRef: `count-in-${language}`,
      params: [{ name: "count", value: index }],
      ...(!isKept && { annotations: { "millrace.dev/keep-alive": "false" } }),
      ...(index > 0 && { dependencies: [{ taskRef: `step-${index}`, executionCondition: "success" }] }),
    }),
  );
  return { name: `chain-${language}-${isKept ? "kept" : "fresh"}-${length}`, tasks };
}

/** One task that sleeps for the run's parameter `ms`. */
export const sleeper: BenchWorkflow & { params: unknown[] } = {
  name: "sleeper",
  params: [{ name: "ms", type: "number" }],
  tasks: [{ name: "nap", type: "sleep", taskRef: "sleep", params: [{ name: "duration", value: "$(params.ms)" }] }],
};

export type Kind = keyof typeof kinds;

/** This many tasks one after the other. */
export function chain(kind: Kind, length: number): BenchWorkflow {
  const tasks = Array.from({ length }, (_, index) => kinds[kind](`step-${index + 1}`));
  for (const [index, task] of tasks.entries()) {
    if (index > 0) task.dependencies = [{ taskRef: `step-${index}`, executionCondition: "success" }];
  }
  return { name: `chain-${kind}-${length}`, tasks };
}

/** One node over a list of this many items. */
export function fanOut(kind: Kind, items: number): BenchWorkflow {
  const task = kinds[kind]("item");
  task.forEach = { items: Array.from({ length: items }, (_, index) => index), parallel: 1_000 };
  return { name: `fan-out-${kind}-${items}`, tasks: [task] };
}

/** This many nodes side by side in the graph itself. */
export function wideGraph(kind: Kind, width: number): BenchWorkflow {
  return { name: `wide-${kind}-${width}`, tasks: Array.from({ length: width }, (_, index) => kinds[kind](`node-${index + 1}`)) };
}
