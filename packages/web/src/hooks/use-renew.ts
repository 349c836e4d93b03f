import { notifications } from "@mantine/notifications";
import { type UseMutationOptions, type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type ChangedWord, watchChanges } from "../api/changes.ts";

/** The first word of the keys of things that can be changed here; of the later ones no stream tells. */
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

interface ApiMutation<Answer, Asked> extends Pick<UseMutationOptions<Answer, Error, Asked>, "mutationFn" | "onError" | "gcTime"> {
  /** What of the service it changes: asked for again, before the rest happens. */
  changes: readonly Changed[];
  /** Only what is shown of that team. */
  team?: string;
  /** Goes on at once: it may lead to another page, where nobody waits for what was shown on this one. */
  leadsAway?: boolean;
  /** Asks again after a refusal too: someone else may have been quicker. */
  evenRefused?: boolean;
  /** What is told when it is done. */
  toast?: (answer: Answer, asked: Asked) => string;
  onSuccess?: (answer: Answer, asked: Asked) => unknown;
}

/** Changes something in the service, and brings up to date what is shown of it. */
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

/** While the page is open, what it shows of this team is loaded anew when it has changed on the server. */
export function useChanges(team: string): void {
  useWatch(team);
}

/** The same for pages that go over all teams or show the instance. */
export function useChangesEverywhere(): void {
  useWatch(undefined);
}

function useWatch(team: string | undefined): void {
  const client = useQueryClient();
  useEffect(() => watchChanges(client, team), [client, team]);
}
