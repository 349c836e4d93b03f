import { useLocation } from "@tanstack/react-router";

/** Whether the graph or the code of the workflow is open: its other views need neither the tasks that there are, nor its problems. */
export function useIsEditor(): boolean {
  return useLocation({ select: ({ pathname }) => !/\/(overview|runs|versions|configure)(\/|$)/.test(pathname) });
}
