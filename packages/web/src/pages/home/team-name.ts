import type { Overview } from "../../api/queries/settings.ts";

/** As people call it; by its name in addresses where the overview does not have it, since it lists the first teams only. */
export function teamNameOf({ teams }: Pick<Overview, "teams">, name: string): string {
  return teams.find((team) => team.name === name)?.displayName || name;
}
