import { answerRequest } from "../src/ui/answer-requests.ts";

/** Before anything of the interface is loaded. */
globalThis.fetch = answerRequest;
