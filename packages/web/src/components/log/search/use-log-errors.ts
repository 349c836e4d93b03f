import { useState } from "react";
import type { LogStore } from "../log-store.ts";
import { useFinder } from "./use-finder.ts";

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
