import { callbackParameter, writeStep } from "./references.ts";

interface AvailableNames {
  global: readonly string[];
  team: readonly string[];
  workflow: readonly string[];
  context: readonly string[];
  /** Topics that tasks of the workflow wait for. */
  topics?: readonly string[];
  /** Tasks of the workflow with the names of their results. */
  tasks: readonly { name: string; results: readonly string[] }[];
}

/**
 * What a designer may write between `$(` and `)`: each parameter with its layer, then without, then the results of tasks. Names with dots
 * or brackets are in bracket form, so that each entry can be used as it is.
 */
export function availableParameters(names: AvailableNames): string[] {
  const layers = (["global", "team", "workflow", "context"] as const).flatMap((layer) => names[layer].map((name) => ({ layer, name })));
  const keys = [
    ...layers.map(({ layer, name }) => `${layer}.params${writeStep(name)}`),
    ...layers.map(({ name }) => `params${writeStep(name)}`),
    ...(names.topics ?? []).map((topic) => `context.params${writeStep(callbackParameter)}${writeStep(topic)}`),
    ...names.tasks.flatMap((task) => task.results.map((result) => `tasks${writeStep(task.name)}.results${writeStep(result)}`)),
  ];
  return [...new Set(keys)];
}

/** Names of the built-in parameters of every run and task run (layer `context`). */
export const contextParameters = [
  "workflowrun-trigger",
  "workflowrun-initiator",
  "workflowrun-ref",
  "workflowrun-id",
  "workflow-ref",
  "workflow-id",
  "workflow-name",
  "workflow-displayname",
  "workflow-version",
  "team-name",
  "taskrun-ref",
  "taskrun-name",
  "taskrun-type",
  "webhook-url",
  "event-url",
  "wfe-url",
] as const;
