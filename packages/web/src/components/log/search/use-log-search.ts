import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useState, useSyncExternalStore } from "react";
import type { LineCriteria } from "../log-source.ts";
import type { LogStore } from "../log-store.ts";
import type { LineFinder } from "./line-finder.ts";

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

/** The service finds lines by the rule that `log-line.tsx` marks them by. */
const ofErrors = { errors: true } as const;

export interface LogErrors {
  /** How many were found; undefined before somebody asked. */
  count: number | undefined;
  /** The place among them of the one that was gone to, from 1. */
  current: number | undefined;
  isSearching: boolean;
  /** Goes to the next line that looks like an error, or the one before. */
  step: (by: 1 | -1, from: () => number) => Promise<number | undefined>;
}

/** Going from error to error in all of a log. It is searched when somebody first asks. */
export function useLogErrors(book: LogStore): LogErrors {
  const [asked, setAsked] = useState<{ book: LogStore; line: number | undefined }>();
  const isAsked = asked?.book === book;
  const finder = useFinder(book, isAsked ? ofErrors : undefined);
  const isAt = isAsked && asked.line !== undefined && finder?.ranges.has(asked.line) === true;
  return {
    count: finder?.ranges.count,
    current: isAt ? (finder?.ranges.placeOf(asked.line as number) ?? 0) + 1 : undefined,
    isSearching: finder?.isSearching ?? false,
    step: async (by, from) => {
      const line = await book.nearest(ofErrors, from, by);
      setAsked({ book, line });
      return line;
    },
  };
}

const nothing = { subscribe: () => () => {}, getVersion: () => 0 };

/** Keeps a search going while the log grows. @param criteria undefined: there is nothing to look for */
export function useFinder(book: LogStore, criteria: LineCriteria | undefined): LineFinder | undefined {
  const finder = criteria && book.finder(criteria);
  useSyncExternalStore((finder ?? nothing).subscribe, (finder ?? nothing).getVersion);
  useEffect(() => finder?.claim(book.count), [finder, book.count]);
  return finder;
}
