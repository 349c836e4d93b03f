import { createContext } from "react";

/** Whether the form has the room of the wide editor. */
export const WideContext = createContext(false);
