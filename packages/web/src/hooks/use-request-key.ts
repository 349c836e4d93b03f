import { ApiError } from "@millrace/client/api-error.ts";
import { useRef } from "react";

/** Keys for `Idempotency-Key`. */
interface RequestKeys {
  /** The same for the same content, until it was refused. */
  keyFor(content: unknown): string;
  /** After an answer that refuses, the next request is a new one; without any answer it is the same again. */
  noteError(error: unknown): void;
  /** After a success the same content is wanted once more. */
  forget(): void;
}

/** Sends the same request under the same key, so that an answer that was lost makes no second one of what it creates. */
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
