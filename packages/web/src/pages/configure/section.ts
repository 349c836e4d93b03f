import type { Workflow } from "../../api/queries/workflows.ts";

/** What each section of the configuration gets. */
export interface SectionProps {
  team: string;
  /** With what is not saved yet. */
  workflow: Workflow;
}
