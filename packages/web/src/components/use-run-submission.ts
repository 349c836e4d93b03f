import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef } from "react";
import { ApiError } from "../api/api-error.ts";
import { api, call } from "../api/client.ts";
import type { components } from "../api/schema.generated.ts";
import { paths } from "../paths.ts";

export type SubmitRequest = components["schemas"]["WorkflowSubmitRequest"];

interface Submission {
  body: SubmitRequest;
  isStartedNow: boolean;
}

/** Submits a run and goes to it. The same submission is sent under the same key, so that a lost answer makes no second run. */
export function useRunSubmission(team: string, workflow: string, onDone: () => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const last = useRef({ content: "", key: "" });
  const keyFor = (content: string) => {
    if (last.current.content !== content) last.current = { content, key: newKey() };
    return last.current.key;
  };
  return useMutation({
    mutationFn: ({ body, isStartedNow }: Submission) =>
      call(
        api.POST("/api/v2/team/{team}/workflow/{workflow}/submit", {
          params: {
            path: { team, workflow },
            query: { start: isStartedNow },
            header: { "Idempotency-Key": keyFor(JSON.stringify([body, isStartedNow])) },
          },
          body,
        }),
      ),
    onError: (error) => {
      if (error instanceof ApiError && error.status > 0) last.current = { content: "", key: "" };
    },
    onSuccess: async ({ id }) => {
      for (const word of ["runs", "run-counts", "insights"]) void client.invalidateQueries({ queryKey: [word, team] });
      onDone();
      await navigate({ to: paths.run(team, id) });
    },
  });
}

function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
