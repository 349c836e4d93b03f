import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { PaletteEntry } from "./palette-entries.ts";
import { usePaletteEntries } from "./use-palette-entries.ts";

/** What is typed, what fits it, which of it is chosen, and the keys that choose another one or go there. */
export function usePaletteChoice(team: string | undefined, onDone: () => void) {
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const navigate = useNavigate();
  const { entries: found, isSearching, error } = usePaletteEntries(team, typed);
  const chosen = Math.min(at, Math.max(0, found.length - 1));
  const go = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    onDone();
    void navigate({ href: entry.to });
  };
  // Enter was pressed before the service had answered: what it finds is gone to as soon as it is there.
  const isEager = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the answer is there
  useEffect(() => {
    if (!isSearching && isEager.current) go(found[chosen]);
    isEager.current &&= isSearching;
  }, [isSearching]);
  const type = (text: string) => {
    isEager.current = false;
    setTyped(text);
    setAt(0);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setAt(found.length === 0 ? 0 : (chosen + 1) % found.length);
    else if (event.key === "ArrowUp") setAt(found.length === 0 ? 0 : (chosen - 1 + found.length) % found.length);
    else if (event.key !== "Enter") return;
    else if (isSearching && at === 0) isEager.current = true;
    else go(found[chosen]);
    event.preventDefault();
  };
  return { typed, type, found, chosen, isSearching, error, go, onKey };
}
