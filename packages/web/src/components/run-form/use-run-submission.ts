import { useNavigate } from "@tanstack/react-router";
import { api, call } from "../../api/client.ts";
import type { components } from "../../api/schema.generated.ts";
import { useApiMutation } from "../../hooks/use-api-mutation.ts";
import { useRequestKey } from "../../hooks/use-request-key.ts";
import { paths } from "../../paths.ts";

export type SubmitRequest = components["schemas"]["WorkflowSubmitRequest"];

interface Submission {
  body: SubmitRequest;
  isStartedNow: boolean;
}

/** Submits a run and goes to it. The same submission is sent under the same key, so that a lost answer makes no second run. */
export function useRunSubmission(team: string, workflow: string, onDone: () => void) {
  const navigate = useNavigate();
  const { keyFor, noteError } = useRequestKey();
  return useApiMutation({
    changes: ["runs", "run-counts", "insights"],
    team,
    leadsAway: true,
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
      onDone();
      await navigate({ to: paths.run(team, id) });
    },
  });
}
