import { ApiError } from "@millrace/client/api-error.ts";
import { useRef } from "react";

/** Keys for `Idempotency-Key`. */
interface RequestKeys {
  /** Returns the same key for the same content, until the request was rejected. */
  keyFor(content: unknown): string;
  /** After a rejection, the next request gets a new key; if there was no response, it gets the same one. */
  noteError(error: unknown): void;
  /** After a success, the same content is a new request. */
  forget(): void;
}

/** Repeated requests with the same content use the same key, so that a lost response doesn't lead to a duplicate. */
export function useRequestKey(): RequestKeys {
  const last = useRef({ content: "", key: "" });
  const forget = () => {
    last.current = { content: "", key: "" };
  };
  return {
    forget,
    keyFor: (content) => {
      const text = JSON.stringify(content);
      if (last.current.content !== text) last.current = { content: text, key: newKey() };
      return last.current.key;
    },
    noteError: (error) => {
      if (error instanceof ApiError && error.status > 0) forget();
    },
  };
}

function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
