import { api, callWithTag } from "../api/client.ts";
import type { LoadedWorkflow } from "../api/queries/workflow-draft.ts";
import { bodyOf } from "./draft.ts";
import type { History } from "./history.ts";

interface SendOptions {
  etag: string | undefined;
  message?: string;
}

/** Writes the draft as a new version, on top of the one with that tag. Says which secrets were to be kept, but are not there. */
export async function sendDraft(
  team: string,
  { present, baseline }: History,
  { etag, message }: SendOptions,
): Promise<LoadedWorkflow & { missingSecrets: string | undefined }> {
  let missingSecrets: string | undefined;
  const saved = await callWithTag(
    api
      .PUT("/api/v2/team/{team}/workflow", {
        params: { path: { team }, ...(etag !== undefined && { header: { "If-Match": etag } }) },
        body: { ...bodyOf(present, baseline), ...(message && { changelog: { reason: message } }) },
      })
      .then((answer) => {
        missingSecrets = answer.response.headers.get("x-missing-secrets") ?? undefined;
        return answer;
      }),
  );
  return { ...saved, missingSecrets };
}
