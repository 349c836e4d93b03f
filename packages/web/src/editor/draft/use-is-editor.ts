import { useLocation } from "@tanstack/react-router";

/** Whether the graph or the code of the workflow is open. The other views need neither the available tasks nor the workflow's problems. */
export function useIsEditor(): boolean {
  return useLocation({ select: ({ pathname }) => !/\/(overview|runs|versions|configure)(\/|$)/.test(pathname) });
}
