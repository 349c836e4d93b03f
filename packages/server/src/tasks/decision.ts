import { type EngineTaskType, failed } from "../core/task/task-type.ts";

/** Switch: the text of `value` chooses among the links that leave the node (core/parameter/condition.ts). */
export const decision: EngineTaskType = {
  type: "decision",
  start({ params }) {
    const value = params.get("value");
    if (value === undefined || value === null)
      return failed("MissingParameter", 'Parameter "value" is missing; a switch needs a value to compare');
    return { kind: "finished", status: "succeeded", decisionValue: typeof value === "string" ? value : JSON.stringify(value) };
  },
};
