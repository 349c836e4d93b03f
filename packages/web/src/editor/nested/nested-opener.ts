import { createContext, useContext } from "react";

/** Opens the nested workflow of a task of the graph that is shown. */
export const NestedOpener = createContext<((task: string) => void) | undefined>(undefined);

export function useNestedOpener(): ((task: string) => void) | undefined {
  return useContext(NestedOpener);
}
