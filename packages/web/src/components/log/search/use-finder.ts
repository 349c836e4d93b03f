import { useEffect, useSyncExternalStore } from "react";
import type { LineCriteria } from "../log-source.ts";
import type { LogStore } from "../log-store.ts";
import type { LineFinder } from "./line-finder.ts";

const nothing = { subscribe: () => () => {}, getVersion: () => 0 };

/** Keeps a search going while the log grows. @param criteria undefined: there is nothing to look for */
export function useFinder(book: LogStore, criteria: LineCriteria | undefined): LineFinder | undefined {
  const finder = criteria && book.finder(criteria);
  useSyncExternalStore((finder ?? nothing).subscribe, (finder ?? nothing).getVersion);
  useEffect(() => finder?.claim(book.count), [finder, book.count]);
  return finder;
}
