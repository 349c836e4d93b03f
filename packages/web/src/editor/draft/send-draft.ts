import { api, callWithTag } from "../../api/client.ts";
import type { LoadedWorkflow } from "../../api/queries/workflow-draft.ts";
import { bodyOf, isVersionedChange } from "./draft.ts";
import type { History } from "./history.ts";

interface SendOptions {
  /** What the draft is written on top of. */
  base: LoadedWorkflow;
  message?: string;
}

export interface SentDraft extends LoadedWorkflow {
  /** Secrets that were to be kept, but are not there. */
  missingSecrets: string | undefined;
  isNewVersion: boolean;
}

/** Writes the draft as a new version; where nothing was changed that belongs to a version, it is written over the present one. */
export async function sendDraft(
  team: string,
  { present, baseline }: Pick<History, "present" | "baseline">,
  { base: { data, etag }, message }: SendOptions,
): Promise<SentDraft> {
  let missingSecrets: string | undefined;
  const isNewVersion = message !== undefined || isVersionedChange(present, baseline);
  const changelog = isNewVersion ? message && { reason: message } : data.changelog;
  const saved = await callWithTag(
    api
      .PUT("/api/v2/team/{team}/workflow", {
        params: { path: { team }, query: { replace: !isNewVersion }, ...(etag !== undefined && { header: { "If-Match": etag } }) },
        body: { ...bodyOf(present, baseline), ...(changelog && { changelog }) },
      })
      .then((answer) => {
        missingSecrets = answer.response.headers.get("x-missing-secrets") ?? undefined;
        return answer;
      }),
  );
  return { ...saved, missingSecrets, isNewVersion };
}
