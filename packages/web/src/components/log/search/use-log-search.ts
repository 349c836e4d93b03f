import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useState, useSyncExternalStore } from "react";
import type { LineCriteria } from "../log-source.ts";
import type { LogStore } from "../log-store.ts";
import type { LineFinder } from "./line-finder.ts";

export interface LogSearch {
  query: string;
  setQuery: (query: string) => void;
  /** The number of matching lines so far; more may come while `isSearching`. */
  count: number;
  isSearching: boolean;
  error: unknown;
  /** The index of the current match, from 0; -1: none. */
  current: number;
  currentLine: number | undefined;
  /** Moves to the next or previous match, and resolves to its line. */
  step: (by: 1 | -1, from: () => number) => Promise<number | undefined>;
}

const waitForTypingMs = 200;

/** A case-insensitive search in the whole log, or in one of its steps. Lines that arrive later are searched too. */
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

/** The service uses the same rule that `log-line.tsx` uses to mark error lines. */
const ofErrors = { errors: true } as const;

export interface LogErrors {
  /** The number of errors; undefined until they are first searched. */
  count: number | undefined;
  /** The number of the current error among them, from 1. */
  current: number | undefined;
  isSearching: boolean;
  /** Moves to the next or previous line that looks like an error. */
  step: (by: 1 | -1, from: () => number) => Promise<number | undefined>;
}

/** Moves between the errors of the whole log. The log is searched on first use. */
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

/** Keeps a search running while the log grows. @param criteria undefined: there is nothing to search for */
export function useFinder(book: LogStore, criteria: LineCriteria | undefined): LineFinder | undefined {
  const finder = criteria && book.finder(criteria);
  useSyncExternalStore((finder ?? nothing).subscribe, (finder ?? nothing).getVersion);
  useEffect(() => finder?.claim(book.count), [finder, book.count]);
  return finder;
}
