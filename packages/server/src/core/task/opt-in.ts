/** What has to allow tasks something that belongs to the operator: a setting of the instance, and an administrator for the team. */
export interface OptIn {
  /** The setting of the process that asks. */
  isAllowedHere: boolean;
  /** Absent: a global task or a template, which each team that uses it must be allowed. */
  team?: { name: string; isAllowed: boolean };
}
