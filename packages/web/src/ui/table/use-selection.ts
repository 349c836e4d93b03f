import { useState } from "react";

/** The selected objects of a list, across several pages. They stay selected while the list changes. */
export function useSelection<Thing extends { id: string }>() {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Thing>>(new Map());
  // The filter that was set when all that match it were selected. A different filter ends that.
  const [allOf, setAllOf] = useState<string>();
  const only = (things: readonly Thing[]) => {
    setAllOf(undefined);
    setChosen(new Map(things.map((thing) => [thing.id, thing] as const)));
  };
  return {
    allOf,
    setAllOf,
    /** Those, and no others. */
    only,
    chosen: [...chosen.values()],
    has: (id: string) => chosen.has(id),
    toggle: (thing: Thing) =>
      setChosen((present) => {
        const next = new Map(present);
        if (!next.delete(thing.id)) next.set(thing.id, thing);
        return next;
      }),
    add: (things: readonly Thing[]) => setChosen((present) => new Map([...present, ...things.map((thing) => [thing.id, thing] as const)])),
    remove: (ids: readonly string[]) => setChosen((present) => new Map([...present].filter(([id]) => !ids.includes(id)))),
    clear: () => only([]),
  };
}

export type Selection<Thing extends { id: string }> = ReturnType<typeof useSelection<Thing>>;

/** What the rows of a page show while all that match are selected: each is ticked, and unticking one keeps the others of the page only. */
export function everyRow<Thing extends { id: string }>(selection: Selection<Thing>, rows: readonly Thing[]): Selection<Thing> {
  const without = (ids: readonly string[]) => selection.only(rows.filter(({ id }) => !ids.includes(id)));
  return { ...selection, has: () => true, toggle: ({ id }) => without([id]), remove: without };
}
