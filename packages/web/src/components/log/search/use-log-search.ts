import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import type { LogStore } from "../log-store.ts";
import { useFinder } from "./use-finder.ts";

export interface LogSearch {
  query: string;
  setQuery: (query: string) => void;
  /** Lines found so far; more may come while `isSearching`. */
  count: number;
  isSearching: boolean;
  error: unknown;
  /** The match that one stands at, from 0; -1: none. */
  current: number;
  currentLine: number | undefined;
  /** Goes to the next match (or the one before) and answers its line. */
  step: (by: 1 | -1, from: () => number) => Promise<number | undefined>;
}

const waitForTypingMs = 200;

/** Search in all of a log, or in one step of it, in upper or lower case alike. Lines that come later are searched, too. */
export function useLogSearch(book: LogStore, onlyStep: string | undefined): LogSearch {
  const [query, setQuery] = useState("");
  const [typed] = useDebouncedValue(query, waitForTypingMs);
  const [line, setLine] = useState<number>();
  const criteria = query === "" || typed === "" ? undefined : { text: typed, ...(onlyStep !== undefined && { step: onlyStep }) };
  const finder = useFinder(book, criteria);
  const isAt = finder !== undefined && line !== undefined && finder.ranges.has(line);
  return {
    query,
    setQuery: (text) => {
      setLine(undefined);
      setQuery(text);
    },
    count: finder?.ranges.count ?? 0,
    isSearching: typed !== query || (finder?.isSearching ?? false),
    error: finder?.error,
    current: isAt ? finder.ranges.placeOf(line) : -1,
    currentLine: isAt ? line : undefined,
    step: async (by, from) => {
      if (query === "") return undefined;
      const wanted = { text: query, ...(onlyStep !== undefined && { step: onlyStep }) };
      const next = await book.nearest(wanted, () => (isAt ? line : from() - by), by);
      setLine(next);
      return next;
    },
  };
}
