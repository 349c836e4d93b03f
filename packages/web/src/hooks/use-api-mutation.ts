import { notifications } from "@mantine/notifications";
import { type UseMutationOptions, type UseMutationResult, useMutation } from "@tanstack/react-query";
import { type Changed, useRenew } from "./use-renew.ts";

interface ApiMutation<Answer, Asked> extends Pick<UseMutationOptions<Answer, Error, Asked>, "mutationFn" | "onError" | "gcTime"> {
  /** What of the service it changes: asked for again, before the rest happens. */
  changes: readonly Changed[];
  /** Only what is shown of that team. */
  team?: string;
  /** Goes on at once: it may lead to another page, where nobody waits for what was shown on this one. */
  leadsAway?: boolean;
  /** Asks again after a refusal too: somebody else may have been quicker. */
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
