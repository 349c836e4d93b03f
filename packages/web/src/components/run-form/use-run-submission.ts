import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, call } from "../../api/client.ts";
import type { components } from "../../api/schema.generated.ts";
import { useRequestKey } from "../../hooks/use-request-key.ts";
import { paths } from "../../paths.ts";

export type SubmitRequest = components["schemas"]["WorkflowSubmitRequest"];

interface Submission {
  body: SubmitRequest;
  isStartedNow: boolean;
}

/** Submits a run and goes to it. The same submission is sent under the same key, so that a lost answer makes no second run. */
export function useRunSubmission(team: string, workflow: string, onDone: () => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { keyFor, noteError } = useRequestKey();
  return useMutation({
    mutationFn: ({ body, isStartedNow }: Submission) =>
      call(
        api.POST("/api/v2/team/{team}/workflow/{workflow}/submit", {
          params: {
            path: { team, workflow },
            query: { start: isStartedNow },
            header: { "Idempotency-Key": keyFor([body, isStartedNow]) },
          },
          body,
        }),
      ),
    onError: noteError,
    onSuccess: async ({ id }) => {
      for (const word of ["runs", "run-counts", "insights"]) void client.invalidateQueries({ queryKey: [word, team] });
      onDone();
      await navigate({ to: paths.run(team, id) });
    },
  });
}
