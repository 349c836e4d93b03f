import { useLocation } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useSearchState } from "../../../hooks/use-search-state.ts";
import { t } from "../../../texts/run/log.ts";
import { numberText } from "../../../ui/format.ts";

/** The selected lines, from 0: the line where the selection began, and the line of the cursor. */
export interface LineChoice {
  anchor: number;
  cursor: number;
}

export function firstOf({ anchor, cursor }: LineChoice): number {
  return Math.min(anchor, cursor);
}

export function lastOf({ anchor, cursor }: LineChoice): number {
  return Math.max(anchor, cursor);
}

/** The format in the URL: `120` or `120-130`. */
export function writeChoice(choice: LineChoice): string {
  const [first, last] = [firstOf(choice) + 1, lastOf(choice) + 1];
  return first === last ? String(first) : `${first}-${last}`;
}

/** Parses `120`, `120-130`, and the formats of other tools: `L120`, `L120-L130`. Undefined if it is none of these. */
export function readChoice(text: string): LineChoice | undefined {
  const match = /^L?(\d{1,10})(?:-L?(\d{1,10}))?$/.exec(text);
  const [anchor, cursor] = [Number(match?.[1] ?? 0), Number(match?.[2] ?? match?.[1] ?? 0)];
  return anchor > 0 && cursor > 0 ? { anchor: anchor - 1, cursor: cursor - 1 } : undefined;
}

/** As display text: `line 120`, `lines 120 to 130`. */
export function nameOf(choice: LineChoice): string {
  const [first, last] = [firstOf(choice) + 1, lastOf(choice) + 1].map(numberText);
  return first === last
    ? t("lineChoice.line", { line: String(first) })
    : t("lineChoice.lines", { first: String(first), last: String(last) });
}

/** Browsers limit how often the URL may change per second, and holding an arrow key down would exceed that. */
const addressWaitMs = 250;

/** The selected lines, stored in the URL as `?line=120-130`; `#L120` works as well. */
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
    // The URL was changed by a link or by going back.
    seen.current = named;
    setChoice((before) => (before && writeChoice(before) === named ? before : readChoice(named)));
  }, [named]);
  useEffect(() => {
    if (text === (readChoice(seen.current) ? seen.current : "")) return;
    const timer = setTimeout(() => {
      seen.current = text;
      // A single line is stored as a number, as in earlier versions.
      change.current({ line: text === "" ? 0 : /-/.test(text) ? text : Number(text) });
    }, addressWaitMs);
    return () => clearTimeout(timer);
  }, [text]);
  return [choice, setChoice];
}
