import { configure } from "@testing-library/react";
import { afterAll, beforeEach, vi } from "vitest";
import { answerRequest, service } from "../../src/ui/answer-requests.ts";

/** Before anything of the interface is loaded. */
globalThis.fetch = answerRequest;
beforeEach(service.clear);
/** A draft that a test leaves unsaved would be the next one's. */
beforeEach(() => sessionStorage.clear());
// The next file has the same modules: one that is still loading when this file ends would stay broken.
afterAll(() => vi.dynamicImportSettled());

// jsdom has no fonts to load, but fields that grow with their text wait for them.
Object.defineProperty(document, "fonts", { value: new EventTarget(), configurable: true });

/** The stream of changes, which says nothing. */
class SilentStream extends EventTarget {
  close(): void {}
}
Object.defineProperty(globalThis, "EventSource", { value: SilentStream, configurable: true });

/** The default is a second, which anything may exceed on a busy machine. What never arrives fails all the same. */
configure({ asyncUtilTimeout: 15_000 });
