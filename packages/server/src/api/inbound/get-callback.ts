import { defineCallback } from "./define-callback.ts";

export const getCallback = defineCallback("GET", "Deliver the event that a run is waiting for", undefined);
