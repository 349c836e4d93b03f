import { useState } from "react";

/** The selected objects of a list, across several pages. They stay selected while the list changes. */
export function useSelection<Thing extends { id: string }>() {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Thing>>(new Map());
  return {
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
    clear: () => setChosen(new Map()),
  };
}

export type Selection<Thing extends { id: string }> = ReturnType<typeof useSelection<Thing>>;
