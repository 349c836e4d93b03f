import { type EngineTaskType, failed, textParam } from "../core/task/task-type.ts";

const meanings: Record<string, "succeeded" | "failed"> = {
  succeeded: "succeeded",
  completed: "succeeded",
  failed: "failed",
  failure: "failed",
};

/** Decides with which status the run will end; it does not end the run. `completed` and `failure` are older words. */
export const setWorkflowStatus: EngineTaskType = {
  type: "setwfstatus",
  start({ params }) {
    const word = textParam(params, "status");
    const status = word && Object.hasOwn(meanings, word.toLowerCase()) ? meanings[word.toLowerCase()] : undefined;
    if (!status) return failed("InvalidParameter", `Parameter "status" is ${JSON.stringify(word ?? null)}; use succeeded or failed`);
    return { kind: "finished", status: "succeeded", statusOverride: status };
  },
};
