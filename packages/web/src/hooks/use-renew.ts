import { notifications } from "@mantine/notifications";
import { type UseMutationOptions, type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type ChangedWord, watchChanges } from "../api/changes.ts";

/** The first words of the query keys of things that can be changed here; the stream doesn't report changes of the later ones. */
export type Changed =
  | ChangedWord
  | "chat-workspaces"
  | "context"
  | "features"
  | "installation"
  | "integrations"
  | "profile"
  | "run-views"
  | "sessions"
  | "setup"
  | "template";

/**
 * Invalidates the queries about such things; resolves when the responses have arrived. With `place`, the next words of their keys, only
 * those of a team, or of one object in it.
 */
export function useRenew(): (changed: readonly Changed[], ...place: readonly string[]) => Promise<unknown> {
  const client = useQueryClient();
  return (changed, ...place) => {
    // The overview spans all teams.
    const keys = changed.map((word) => (word === "overview" ? [word] : [word, ...place]));
    return Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
  };
}

interface ApiMutation<Answer, Asked> extends Pick<UseMutationOptions<Answer, Error, Asked>, "mutationFn" | "onError" | "gcTime"> {
  /** What it changes on the server. These queries are repeated before anything else happens. */
  changes: readonly Changed[];
  /** Only queries of that team. */
  team?: string;
  /** Continues at once: it may open another page, where nobody waits for the data of this one. */
  leadsAway?: boolean;
  /** Repeats the queries after an error too: someone else may have been first. */
  evenRefused?: boolean;
  /** The message to show on success. */
  toast?: (answer: Answer, asked: Asked) => string;
  onSuccess?: (answer: Answer, asked: Asked) => unknown;
}

/** Changes something on the server, and updates what is shown of it. */
export function useApiMutation<Answer, Asked = void>(mutation: ApiMutation<Answer, Asked>): UseMutationResult<Answer, Error, Asked> {
  const { changes, team, leadsAway = false, evenRefused = false, toast, onSuccess, ...options } = mutation;
  const renewAll = useRenew();
  const renew = () => renewAll(changes, ...(team === undefined ? [] : [team]));
  return useMutation({
    ...options,
    onSuccess: async (answer, asked) => {
      const renewed = evenRefused || renew();
      if (!leadsAway) await renewed;
      if (toast) notifications.show({ message: toast(answer, asked) });
      await onSuccess?.(answer, asked);
    },
    ...(evenRefused && { onSettled: renew }),
  });
}

/** While the page is open, reloads what it shows of this team when that has changed on the server. */
export function useChanges(team: string): void {
  useWatch(team);
}

/** The same for pages that span all teams or show the instance. */
export function useChangesEverywhere(): void {
  useWatch(undefined);
}

function useWatch(team: string | undefined): void {
  const client = useQueryClient();
  useEffect(() => watchChanges(client, team), [client, team]);
}
