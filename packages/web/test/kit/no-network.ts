import { answerRequest } from "../../src/ui/answer-requests.ts";

/** Before anything of the interface is loaded. */
globalThis.fetch = answerRequest;

// jsdom has no fonts to load, but fields that grow with their text wait for them.
Object.defineProperty(document, "fonts", { value: new EventTarget(), configurable: true });
