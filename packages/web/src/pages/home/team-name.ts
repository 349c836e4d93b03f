import type { Overview } from "../../api/queries/settings.ts";

/** The display name of a team. The overview lists only the first teams; for others, the name in the URL. */
export function teamNameOf({ teams }: Pick<Overview, "teams">, name: string): string {
  return teams.find((team) => team.name === name)?.displayName || name;
}
