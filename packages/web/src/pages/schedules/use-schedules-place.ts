import { useSearchState } from "../../hooks/use-search-state.ts";

export const views = ["list", "agenda", "month"] as const;

/** The state of the page as the URL stores it. */
const placeDefaults = {
  view: "list" as string,
  /** `YYYY-MM-DD`: the first day of the agenda, or the selected day of the month. Empty: today. */
  date: "",
  workflows: [] as string[],
  statuses: [] as string[],
  types: [] as string[],
  /** The search text. */
  q: "",
  page: 0,
  /** The schedule whose panel is open. */
  schedule: "",
  /** The schedule being edited: its id, or `new`. */
  edit: "",
  /** The preselected workflow of a new schedule. */
  workflow: "",
};

export type Place = typeof placeDefaults;
export type ChangePlace = (change: Partial<Place>, options?: { replace?: boolean }) => void;

export function useSchedulesPlace(): [Place, ChangePlace] {
  const [place, change] = useSearchState(placeDefaults);
  return [tidy(place), change as ChangePlace];
}

/** Users can edit the URL: a single word counts as a list of one, and an unknown view as the list. */
function tidy(place: Place): Place {
  const { workflows, statuses, types, q, page, view, date, schedule, edit, workflow } = place;
  const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : value === "" ? [] : [String(value)]);
  return {
    view: views.some((known) => known === view) ? view : "list",
    ...{ date: String(date), schedule: String(schedule), edit: String(edit), workflow: String(workflow) },
    ...{ workflows: listOf(workflows), statuses: listOf(statuses), types: listOf(types), q: String(q) },
    page: Number.isInteger(page) && page > 0 ? page : 0,
  };
}
