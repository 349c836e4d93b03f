import type { ComponentType } from "react";

/** A section of the administration, loaded when it is opened. */
export interface AdminSection {
  title: string;
  /** What it takes to read it. */
  permission: string;
  Section: ComponentType;
  /** Of a section without a header of its own: the line below its title. */
  detail?: string;
  /** Its parts keep their distance from the edges by themselves. */
  hasOwnMargins?: boolean;
}
