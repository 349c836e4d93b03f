import { surviveRejections } from "../../src/base/process/shutdown.ts";

// A process with an unhandled rejection.

surviveRejections(process, (reason) => console.log((reason as Error).message));
void Promise.reject(new Error("left alone"));
setImmediate(() => console.log("went on"));
