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
      params: orNull(Type.Array(ref<RunParam>("RunParam"), { maxItems: 1000, description: "What is left out has the task's default" })),
      draft: Type.Optional(ref<TaskInput>("Task")),
      draftDocument: orNull(
        Type.String({
          minLength: 1,
          description: "The draft as a definition document (YAML) instead; what is wrong in it is told with its line",
        }),
      ),
      draftOf: orNull(
        stringEnum(draftOwners, {
          description: "Whose task the draft is of, or would be; default team. Of a global one it takes the right to save those, too",
        }),
      ),
    },
    {
      examples: [{ params: [{ name: "who", value: "Ada" }] }, { draft: { spec: { image: "alpine:3.20", script: "echo $(params.who)" } } }],
    },
  ),
);
