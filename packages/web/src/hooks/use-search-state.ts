import { useLocation, useNavigate } from "@tanstack/react-router";

type SearchState = Record<string, string | number | boolean | string[] | undefined>;
/** A default of `false` stands for both. */
type Widened<State> = { [Key in keyof State]: State[Key] extends boolean ? boolean : State[Key] };

/**
 * State that lives in the address, so that it can be shared and survives a reload: filters, tabs, the chosen thing. Members that
 * equal their default are left out of the address.
 * @param defaults also tell the type of each member
 */
export function useSearchState<State extends SearchState>(
  defaults: State,
): [Widened<State>, (change: Partial<Widened<State>>, options?: { replace?: boolean }) => void] {
  const search = useLocation().search as Partial<Widened<State>>;
  const navigate = useNavigate();
  const state = { ...defaults } as Widened<State>;
  for (const key of Object.keys(defaults) as (keyof State)[])
    if (search[key] !== undefined) state[key] = search[key] as Widened<State>[keyof State];
  const change = (next: Partial<Widened<State>>, { replace = true } = {}) => {
    const merged: SearchState = { ...search, ...next };
    for (const key of Object.keys(merged)) if (JSON.stringify(merged[key]) === JSON.stringify(defaults[key])) merged[key] = undefined;
    // It is the same page: who has scrolled stays where he is.
    void navigate({ to: ".", search: merged as never, replace, resetScroll: false });
  };
  return [state, change];
}
