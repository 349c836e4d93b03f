import { useEffect, useRef, useState } from "react";
import { plainText } from "./ansi-text.ts";
import type { LogBook } from "./log-book.ts";
import { lowerBound } from "./visible-lines.ts";

export interface LogSearch {
  query: string;
  setQuery: (query: string) => void;
  /** Lines that contain the query, ascending; more may come while `isSearching`. */
  matches: readonly number[];
  isSearching: boolean;
  /** The match that one stands at, from 0; -1: none. */
  current: number;
  /** Goes to the next match (or the one before) and answers its line. */
  step: (by: 1 | -1, from: number) => number | undefined;
}

const waitForTypingMs = 200;

/** Search in all of a log, in upper or lower case alike. Lines that come later are searched, too. */
export function useLogSearch(book: LogBook): LogSearch {
  const [query, setQuery] = useState("");
  const [matches, setMatches] = useState<readonly number[]>([]);
  const [current, setCurrent] = useState(-1);
  const [isSearching, setSearching] = useState(false);
  const found = useRef<{ query: string; book: LogBook; upTo: number; lines: number[] }>(undefined);
  const version = book.getVersion();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version means new lines to search
  useEffect(() => {
    if (query === "") return reset();
    const stop = new AbortController();
    const isNew = found.current?.query !== query || found.current.book !== book;
    const timer = setTimeout(() => void search(isNew, stop.signal), isNew ? waitForTypingMs : 0);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [book, query, version]);

  function reset() {
    found.current = undefined;
    setMatches([]);
    setCurrent(-1);
    setSearching(false);
  }

  async function search(isNew: boolean, signal: AbortSignal) {
    if (isNew) {
      found.current = { query, book, upTo: 0, lines: [] };
      setCurrent(-1);
      if (book.isHeldBack) void book.readAll();
    }
    const own = found.current;
    if (own === undefined) return;
    setSearching(true);
    const wanted = query.toLowerCase();
    const visitor = (line: { text: string }, index: number) => {
      own.upTo = index + 1;
      if (plainText(line.text).toLowerCase().includes(wanted)) own.lines.push(index);
    };
    await book.visit(own.upTo, visitor, signal).catch(() => undefined);
    if (signal.aborted && own.upTo < book.count) return;
    setMatches([...own.lines]);
    setSearching(false);
  }

  function step(by: 1 | -1, from: number): number | undefined {
    if (matches.length === 0) return undefined;
    const after = lowerBound(matches, from);
    const begin = by === 1 ? after : after - 1;
    const next = current < 0 ? begin : current + by;
    const place = (next + matches.length) % matches.length;
    setCurrent(place);
    return matches[place];
  }

  return { query, setQuery, matches, isSearching, current, step };
}
