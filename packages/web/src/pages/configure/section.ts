import type { Workflow } from "../../api/queries/workflows.ts";

/** What each section of the configuration gets. */
export interface SectionProps {
  team: string;
  workflow: Workflow;
  /** Of the state that is shown, for a write on top of it. */
  etag: string | undefined;
}
