import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { isTyping } from "./is-typing.ts";
import { type Place, placeOf } from "./place-keys.ts";
import { focusFilter, stepRow } from "./table-rows.ts";

/** How long the second letter of a sequence is waited for. */
const patienceMs = 1_500;

interface PageKeys {
  places: readonly Place[];
  onHelp: () => void;
  onFold: () => void;
}

/** The keys that hold everywhere. A page that has a use of its own for one of them says so by `preventDefault`. */
export function usePageKeys({ places, onHelp, onFold }: PageKeys): void {
  const navigate = useNavigate();
  const goingSince = useRef(0);
  useEffect(() => {
    // Before the page: `a` after `g` is not the page's `a`.
    const onGo = (event: KeyboardEvent) => {
      if (isModified(event) || isTyping(event.target)) return;
      // Tab, Enter and the like go on doing what they do.
      const isGoing = event.key.length === 1 && Date.now() - goingSince.current < patienceMs;
      goingSince.current = event.key === "g" && !isGoing ? Date.now() : 0;
      if (event.key !== "g" && !isGoing) return;
      event.stopPropagation();
      event.preventDefault();
      const place = isGoing ? placeOf(event.key, places) : undefined;
      if (place !== undefined) void navigate({ to: place.link });
    };
    // After it.
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isModified(event) || isTyping(event.target)) return;
      const commands: Record<string, () => void> = {
        "?": onHelp,
        "[": onFold,
        j: () => stepRow(1),
        k: () => stepRow(-1),
        "/": focusFilter,
      };
      const command = Object.hasOwn(commands, event.key) ? commands[event.key] : undefined;
      if (command === undefined) return;
      event.preventDefault();
      command();
    };
    window.addEventListener("keydown", onGo, { capture: true });
    window.addEventListener("keydown", onKey);
    return () => {
      window.removeEventListener("keydown", onGo, { capture: true });
      window.removeEventListener("keydown", onKey);
    };
  }, [places, onHelp, onFold, navigate]);
}

function isModified({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey;
}
