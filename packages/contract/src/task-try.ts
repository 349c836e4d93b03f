import Type from "typebox";
import "./common.ts";
import type { RunParam } from "./common.ts";
import { named, orNull, ref } from "./schema.ts";

/** With what a task is tried. */
export interface TaskTryRequest {
  version?: number | null;
  params?: RunParam[] | null;
}
export const taskTryRequest = named(
  "TaskTryRequest",
  Type.Object(
    {
      version: orNull(Type.Integer({ minimum: 1, description: "Default: the latest" })),
      params: orNull(Type.Array(ref<RunParam>("RunParam"), { maxItems: 1000, description: "What is left out has the task's default" })),
    },
    { examples: [{ params: [{ name: "who", value: "Ada" }] }] },
  ),
);
