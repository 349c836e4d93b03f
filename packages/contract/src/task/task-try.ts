import Type, { type Static } from "typebox";
import { runParam } from "../common.ts";
import { named, orNull, ref, stringEnum } from "../schema.ts";
import { task } from "./task.ts";

export const draftOwners = ["team", "global"] as const;

/** What is tried (a saved version or an unsaved draft of a task), and with which values. */
export interface TaskTryRequest extends Static<typeof taskTryRequest> {}
export const taskTryRequest = named(
  "TaskTryRequest",
  Type.Object(
    {
      version: orNull(Type.Integer({ minimum: 1, description: "Default: the latest. Not with a draft" })),
      params: orNull(Type.Array(ref(runParam), { maxItems: 1000, description: "Parameters that are left out get the task's default" })),
      draft: Type.Optional(ref(task)),
      draftDocument: orNull(
        Type.String({
          minLength: 1,
          description: "The draft as a definition document (YAML) instead; problems have their line",
        }),
      ),
      draftOf: orNull(
        stringEnum(draftOwners, {
          description: "Scope of the draft's task; default team. For a global task it also requires the permission to save those",
        }),
      ),
    },
    {
      examples: [{ params: [{ name: "who", value: "Ada" }] }, { draft: { spec: { image: "alpine:3.20", script: "echo $(params.who)" } } }],
    },
  ),
);
