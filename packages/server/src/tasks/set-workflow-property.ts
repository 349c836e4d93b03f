import { type EngineTaskType, failed, textParam } from "../core/task/task-type.ts";

/** Sets a result of the run; a name set again takes the newer value. */
export const setWorkflowProperty: EngineTaskType = {
  type: "setwfproperty",
  start({ params }) {
    const output = textParam(params, "output");
    if (!output) return failed("MissingParameter", 'Parameter "output" is missing; it names the result of the run');
    const result = { name: output, value: params.get("value") ?? null };
    return { kind: "finished", status: "succeeded", runResults: [result], results: [result] };
  },
};
