import { useLocation, useNavigate } from "@tanstack/react-router";
import type { PageSearch } from "../paths.ts";

/** Every member has a value. A default of `false` allows both booleans. */
type Widened<State> = { [Key in keyof State]-?: State[Key] extends boolean | undefined ? boolean : NonNullable<State[Key]> };

/**
 * State stored in the URL, so that it can be shared and survives a reload: filters, tabs, the selected object. Members that equal their
 * default are left out.
 * @param defaults also determine the type of each member
 */
export function useSearchState<State extends PageSearch>(
  defaults: State,
): [Widened<State>, (change: Partial<Widened<State>>, options?: { replace?: boolean }) => void] {
  const search: PageSearch = useLocation().search;
  const navigate = useNavigate();
  const present = Object.entries(search).filter(([key, value]) => Object.hasOwn(defaults, key) && value !== undefined);
  const state = { ...defaults, ...Object.fromEntries(present) } as Widened<State>;
  const change = (next: Partial<Widened<State>>, { replace = true } = {}) => {
    const merged: PageSearch = { ...search, ...next };
    for (const key of Object.keys(defaults) as (keyof PageSearch)[])
      if (JSON.stringify(merged[key]) === JSON.stringify(defaults[key])) delete merged[key];
    // It is the same page, so the scroll position is kept.
    void navigate({ to: ".", search: merged, replace, resetScroll: false });
  };
  return [state, change];
}
