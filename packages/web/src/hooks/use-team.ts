import { useParams } from "@tanstack/react-router";

/** Name of the team in the address. Only on pages below `/$team`. */
export function useTeam(): string {
  return (useParams({ strict: false }) as { team: string }).team;
}
