import { createContext } from "react";

/** Whether the form is shown in the large editor. */
export const WideContext = createContext(false);
