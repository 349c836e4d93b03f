import { createContext, useContext } from "react";

/** Opens the nested workflow of a task in the current graph. */
export const NestedOpener = createContext<((task: string) => void) | undefined>(undefined);

export function useNestedOpener(): ((task: string) => void) | undefined {
  return useContext(NestedOpener);
}
