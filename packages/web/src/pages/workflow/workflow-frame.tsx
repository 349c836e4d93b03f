import { Outlet } from "@tanstack/react-router";

/** What the pages of one workflow share: its title, its state, its tabs. */
export function WorkflowFrame() {
  return <Outlet />;
}
