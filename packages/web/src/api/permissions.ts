import { holds } from "@millrace/contract/permission.ts";
import { t } from "../texts/frame.ts";
import type { components } from "./schema.generated.ts";

export type Caller = components["schemas"]["Caller"];

/**
 * Whether a button will work, before it is pressed; the server decides.
 * @param permission such as `workflow/write`
 * @param team name or id; without it the instance is meant
 */
export function may(caller: Caller, permission: string, team?: string): boolean {
  const ofTeam = team === undefined ? [] : (caller.teams.find(({ id, name }) => id === team || name === team)?.permissions ?? []);
  return holds([...caller.permissions, ...ofTeam], permission);
}

/** What to say beside a button that does not work. Undefined when it does. */
export function whyNot(caller: Caller, permission: string, team?: string): string | undefined {
  if (may(caller, permission, team)) return undefined;
  return team === undefined ? t("permissions.missingOnInstance", { permission }) : t("permissions.missingInTeam", { permission, team });
}
