import { useSearchState } from "../../hooks/use-search-state.ts";

export const views = ["list", "agenda", "month"] as const;
export type View = (typeof views)[number];

/** All that the address of the page tells. */
export const placeDefaults = {
  view: "list" as string,
  /** `YYYY-MM-DD`: the first day of the agenda, the chosen one of the month. Empty: today. */
  date: "",
  workflows: [] as string[],
  statuses: [] as string[],
  types: [] as string[],
  page: 0,
  /** The schedule whose panel is open. */
  schedule: "",
  /** The one that is written: its id, or `new`. */
  edit: "",
  /** Of a new one: its workflow is chosen already. */
  workflow: "",
};

export type Place = typeof placeDefaults;
export type ChangePlace = (change: Partial<Place>, options?: { replace?: boolean }) => void;

export function useSchedulesPlace(): [Place, ChangePlace] {
  const [place, change] = useSearchState(placeDefaults);
  return [place, change as ChangePlace];
}
