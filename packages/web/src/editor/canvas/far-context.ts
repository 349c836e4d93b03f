import { createContext } from "react";

/** Whether a large graph is seen from so far away that a task is a box without words. */
export const FarContext = createContext(false);
