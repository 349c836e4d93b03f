import { useSuspenseQuery } from "@tanstack/react-query";
import { may, whyNot } from "../api/permissions.ts";
import { callerQuery } from "../api/queries/session.ts";

/** Who is signed in. Only below `SignedIn`, which has made sure that there is somebody. */
export function useCaller() {
  return useSuspenseQuery(callerQuery).data;
}

/**
 * `const rights = useRights(team); rights.may("workflow/write")`, `rights.whyNot("workflow/write")` for the tooltip of a disabled button.
 */
export function useRights(team?: string) {
  const caller = useCaller();
  return {
    may: (permission: string) => may(caller, permission, team),
    whyNot: (permission: string) => whyNot(caller, permission, team),
  };
}
