import { useState } from "react";
import type { LogBook } from "./log-book.ts";
import { useFinder } from "./use-finder.ts";

export interface LogErrors {
  /** How many were found; undefined before somebody asked. */
  count: number | undefined;
  /** The place among them of the one that was gone to, from 1. */
  current: number | undefined;
  isSearching: boolean;
  /** Goes to the next line that looks like an error, or the one before; of standard error where none does. */
  step: (by: 1 | -1, from: () => number) => Promise<number | undefined>;
}

/** Going from error to error in all of a log. It is searched when somebody first asks. */
export function useLogErrors(book: LogBook): LogErrors {
  const [asked, setAsked] = useState<{ book: LogBook; line: number | undefined; kind: "errors" | "stderr" }>();
  const isAsked = asked?.book === book;
  const finder = useFinder(book, isAsked ? criteriaOf(asked.kind) : undefined);
  const isAt = isAsked && asked.line !== undefined && finder?.ranges.has(asked.line) === true;
  return {
    count: finder?.ranges.count,
    current: isAt ? (finder?.ranges.placeOf(asked.line as number) ?? 0) + 1 : undefined,
    isSearching: finder?.isSearching ?? false,
    step: async (by, from) => {
      for (const kind of ["errors", "stderr"] as const) {
        const line = await book.nearest(criteriaOf(kind), from, by);
        setAsked({ book, line, kind });
        if (line !== undefined) return line;
      }
      return undefined;
    },
  };
}

function criteriaOf(kind: "errors" | "stderr") {
  return kind === "errors" ? ({ errors: true } as const) : ({ stream: "stderr" } as const);
}
