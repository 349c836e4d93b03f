import { useParams } from "@tanstack/react-router";

type ParamName = "team" | "workflow" | "run" | "action" | "task" | "template" | "section";

/** A part of the address, of the pages that have it. @throws elsewhere */
export function useParam(name: ParamName): string {
  const value = useParams({ strict: false })[name];
  if (value === undefined) throw new Error(`The address has no ${name}.`);
  return value;
}

/** Name of the team in the address. Only on pages below `/$team`. */
export function useTeam(): string {
  return useParam("team");
}
