import { defineCallback } from "./define-callback.ts";

export const getCallback = defineCallback("GET", "Deliver the event that a run waits for", undefined);
