import { type EngineTaskType, failed, textParam } from "../core/task/task-type.ts";
import { runResultFault } from "../core/workflow/child-call.ts";

/** Switch: the text of `value` selects among the links that leave the node (core/parameter/condition.ts). */
export const decision: EngineTaskType = {
  type: "decision",
  start({ params }) {
    const value = params.get("value");
    if (value === undefined || value === null)
      return failed("MissingParameter", 'Parameter "value" is missing; a switch needs a value to compare');
    return { kind: "finished", status: "succeeded", decisionValue: typeof value === "string" ? value : JSON.stringify(value) };
  },
};

/** Sets a result of the run; a name set again takes the newer value. */
export const setWorkflowProperty: EngineTaskType = {
  type: "setwfproperty",
  start({ params, node }) {
    const output = textParam(params, "output");
    if (!output) return failed("MissingParameter", 'Parameter "output" is missing; it names the result of the run');
    const result = { name: output, value: params.get("value") ?? null };
    const fault = node.runResults && runResultFault(node.runResults, result);
    if (fault !== undefined) return failed("InvalidResult", fault);
    return { kind: "finished", status: "succeeded", runResults: [result], results: [result] };
  },
};

const meanings: Record<string, "succeeded" | "failed"> = {
  succeeded: "succeeded",
  completed: "succeeded",
  failed: "failed",
  failure: "failed",
};

/** Decides with which status the run will end; it does not end the run. `completed` and `failure` are older names. */
export const setWorkflowStatus: EngineTaskType = {
  type: "setwfstatus",
  start({ params }) {
    const word = textParam(params, "status");
    const status = word && Object.hasOwn(meanings, word.toLowerCase()) ? meanings[word.toLowerCase()] : undefined;
    if (!status) return failed("InvalidParameter", `Parameter "status" is ${JSON.stringify(word ?? null)}; use succeeded or failed`);
    return { kind: "finished", status: "succeeded", statusOverride: status };
  },
};
