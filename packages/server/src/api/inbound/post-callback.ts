import Type from "typebox";
import { defineCallback } from "./define-callback.ts";

/** Kept as it comes: it becomes the result `data` of the task. */
const payload = Type.Record(Type.String(), Type.Unknown(), { description: "Any object", examples: [{ environment: "production" }] });

export const postCallback = defineCallback("POST", "Deliver the event that a run is waiting for, with a payload", payload);
