import { createContext, useContext } from "react";

/** What is chosen on the canvas: names of tasks, ids of notes and of edges. */
export interface Selection {
  selected: ReadonlySet<string>;
  select: (ids: Iterable<string> | ((before: ReadonlySet<string>) => Iterable<string>)) => void;
  /** What is chosen as `from` is called `to` from now on. */
  rename: (from: string, to: string) => void;
  /** The same for a task before and after it was renamed, so that its form stays as it is, with the focus in it. */
  keyOf: (id: string) => string;
}

export const SelectionContext = createContext<Selection | undefined>(undefined);

/** Only inside of the designer. */
export function useSelection(): Selection {
  const selection = useContext(SelectionContext);
  if (!selection) throw new Error("the selection is used outside of the designer");
  return selection;
}
