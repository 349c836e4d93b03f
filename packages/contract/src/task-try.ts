import Type from "typebox";
import "./common.ts";
import "./task.ts";
import type { RunParam } from "./common.ts";
import { named, orNull, ref, stringEnum } from "./schema.ts";
import type { TaskInput } from "./task.ts";

export const draftOwners = ["team", "global"] as const;

/** With what a task is tried, and what of it: a version that is saved, or a draft that is not. */
export interface TaskTryRequest {
  version?: number | null;
  params?: RunParam[] | null;
  draft?: TaskInput;
  draftDocument?: string | null;
  draftOf?: (typeof draftOwners)[number] | null;
}
export const taskTryRequest = named(
  "TaskTryRequest",
  Type.Object(
    {
      version: orNull(Type.Integer({ minimum: 1, description: "Default: the latest. Not with a draft" })),
      params: orNull(
        Type.Array(ref<RunParam>("RunParam"), { maxItems: 1000, description: "Parameters that are left out get the task's default" }),
      ),
      draft: Type.Optional(ref<TaskInput>("Task")),
      draftDocument: orNull(
        Type.String({
          minLength: 1,
          description: "The draft as a definition document (YAML) instead; problems are reported with their line",
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
