import { useLocation } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useSearchState } from "../../../hooks/use-search-state.ts";
import { type LineChoice, readChoice, writeChoice } from "./line-choice.ts";

/** Browsers refuse to change the address more often than some times a second, and who holds an arrow key down does. */
const addressWaitMs = 250;

/** The chosen lines, which are in the address as `?line=120-130`; `#L120` is understood, too. */
export function useLineChoice(): [LineChoice | undefined, (choice: LineChoice | undefined) => void] {
  const [{ line }, setAddress] = useSearchState<{ line: string | number }>({ line: 0 });
  const { hash } = useLocation();
  const named = readChoice(String(line)) ? String(line) : hash;
  const [choice, setChoice] = useState(() => readChoice(named));
  const text = choice === undefined ? "" : writeChoice(choice);
  const seen = useRef(named);
  const change = useRef(setAddress);
  change.current = setAddress;
  useEffect(() => {
    if (seen.current === named) return;
    // Somebody followed a link, or went back.
    seen.current = named;
    setChoice((before) => (before && writeChoice(before) === named ? before : readChoice(named)));
  }, [named]);
  useEffect(() => {
    if (text === (readChoice(seen.current) ? seen.current : "")) return;
    const timer = setTimeout(() => {
      seen.current = text;
      // One line is a number, as it always was.
      change.current({ line: text === "" ? 0 : /-/.test(text) ? text : Number(text) });
    }, addressWaitMs);
    return () => clearTimeout(timer);
  }, [text]);
  return [choice, setChoice];
}
