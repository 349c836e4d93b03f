import { useQueryClient } from "@tanstack/react-query";
import type { ChangedWord } from "../api/changes.ts";

/** The first word of the keys of things that can be changed here; of the later ones no stream tells. */
export type Changed =
  | ChangedWord
  | "chat-workspaces"
  | "context"
  | "features"
  | "installation"
  | "integrations"
  | "profile"
  | "sessions"
  | "template";

/**
 * Makes what is shown of such things old, so that it is asked for again; ends when the answers are there. With `place`, the next
 * words of their keys, only those: of a team, or of one thing in it.
 */
export function useRenew(): (changed: readonly Changed[], ...place: readonly string[]) => Promise<unknown> {
  const client = useQueryClient();
  return (changed, ...place) => {
    // The overview goes over all teams.
    const keys = changed.map((word) => (word === "overview" ? [word] : [word, ...place]));
    return Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
  };
}
