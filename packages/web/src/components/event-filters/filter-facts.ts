import { createContext, useContext } from "react";
import { t } from "../../texts/triggers.ts";

/** What all parts of the form know of the filters that they stand in. */
export interface FilterFacts {
  /** Names of attributes to choose from; others can be typed. */
  attributes: readonly string[];
  /** What the service would refuse, by JSON pointers into the list of filters. */
  problems: readonly { path: string; message: string }[];
}

export const FilterFactsContext = createContext<FilterFacts>({ attributes: [], problems: [] });

/** What is wrong at these places themselves, and with `isDeep` below them, too. */
export function useProblemsAt(places: readonly string[], isDeep = false): string[] {
  const { problems } = useContext(FilterFactsContext);
  const isAt = (path: string) => places.some((place) => path === place || (isDeep && path.startsWith(`${place}/`)));
  return problems.filter(({ path }) => isAt(path)).map(({ message }) => message);
}

/** All of them, each with the number of the filter that it is about. */
export function useNumberedProblems(): string[] {
  const { problems } = useContext(FilterFactsContext);
  return problems.map(({ path, message }) =>
    path === "" ? message : t("filterFacts.problem", { number: Number(path.split("/")[1]) + 1, message }),
  );
}
