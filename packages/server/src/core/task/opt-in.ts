/**
 * Whether tasks may have something that is the operator's to allow: a setting of the instance and an administrator (for the team) must both
 * allow it.
 */
export interface OptIn {
  /** The setting of the current process. */
  isAllowedHere: boolean;
  /** Absent for a global task or a template: there, each team that uses it must be allowed. */
  team?: { name: string; isAllowed: boolean };
}
