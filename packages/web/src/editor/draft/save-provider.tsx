import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { type LoadedWorkflow, workflowDraftQuery } from "../../api/queries/workflow-draft.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { t } from "../../texts/designer.ts";
import { ConflictDialog } from "./conflict-dialog.tsx";
import { type Draft, draftOf } from "./draft.ts";
import { useDraft } from "./draft-context.ts";
import { LeaveGuard } from "./leave-guard.tsx";
import { mergeDrafts } from "./merge-drafts.ts";
import { SaveContext, type SaveOptions, type Saving } from "./save-context.ts";
import { sendDraft } from "./send-draft.ts";

interface SaveProviderProps {
  /** The workflow as it is on the server, as far as is known here. */
  newest: LoadedWorkflow;
  /** Says what the draft rests on from now on. */
  onBase: (loaded: LoadedWorkflow) => void;
  children: ReactNode;
}

/**
 * Saves the draft on top of what it was read from. When somebody else was faster, the changes of both are saved together; where
 * both changed the same in different ways, they are compared before anything is written.
 */
export function SaveProvider({ newest, onBase, children }: SaveProviderProps) {
  const { team, workflow, loaded, history, dispatch, isDirty, pendingText, setPendingText } = useDraft();
  const client = useQueryClient();
  const renew = useRenew();
  const [isComparing, compare] = useState(false);
  const query = workflowDraftQuery(team, workflow, 0);
  const saving = useMutation({
    mutationFn: async ({ message, over, members }: SaveOptions) => {
      const { baseline } = history;
      const present = members ? withMembers(baseline, history.present, members) : history.present;
      const send = async (base: LoadedWorkflow, draft: Draft, from: Draft) => {
        const options = { base, ...(message !== undefined && { message }) };
        return { ...(await sendDraft(team, { baseline: from, present: draft }, options)), sent: draft };
      };
      const sendOnTop = (newest: LoadedWorkflow) => {
        const theirs = draftOf(newest.data);
        // The draft gets their changes before it is saved: else it would seem to take them back.
        if (pendingText === undefined) {
          dispatch({ type: "rebase", onto: theirs });
          onBase(newest);
        }
        return send(newest, mergeDrafts(baseline, present, theirs).draft, theirs);
      };
      if (over) return sendOnTop(over);
      try {
        return await send(loaded, present, baseline);
      } catch (error) {
        if (!isOutrun(error)) throw error;
        const newest = await client.fetchQuery({ ...query, staleTime: 0 });
        if (mergeDrafts(baseline, present, draftOf(newest.data)).conflicts.length > 0) throw error;
        return sendOnTop(newest);
      }
    },
    onSuccess: ({ missingSecrets, sent, isNewVersion, ...saved }) => {
      client.setQueryData(query.queryKey, saved);
      onBase(saved);
      dispatch({ type: "saved", sent, draft: draftOf(saved.data) });
      compare(false);
      notifications.show({
        message: isNewVersion ? t("saveProvider.savedVersion", { version: String(saved.data.version) }) : t("saveProvider.saved"),
        color: "green",
      });
      if (missingSecrets)
        notifications.show({ message: t("saveProvider.enterTheseSecretsAgain", { missingSecrets }), color: "yellow", autoClose: false });
      void renew(["workflows", "workflow"], team);
    },
    onError: async (error) => {
      if (!isOutrun(error)) return;
      await client.fetchQuery({ ...query, staleTime: 0 });
      compare(true);
    },
  });
  const newer = newest.etag === loaded.etag ? undefined : newest;
  const value: Saving = {
    save: (options = {}) => saving.mutate(options),
    isSaving: saving.isPending,
    error: isOutrun(saving.error) ? null : saving.error,
    forgetError: saving.reset,
    newer,
    isComparing: isComparing && newer !== undefined,
    compare,
    takeTheirs: () => {
      if (!newer) return;
      setPendingText(undefined);
      dispatch({ type: "load", draft: draftOf(newer.data) });
      onBase(newer);
      compare(false);
    },
  };
  return (
    <SaveContext value={value}>
      {children}
      <ConflictDialog />
      <LeaveGuard isOn={isDirty} />
    </SaveContext>
  );
}

/** The first draft with these members of the second. */
function withMembers(draft: Draft, other: Draft, members: readonly string[]): Draft {
  const rest = Object.entries(draft).filter(([key]) => !members.includes(key));
  return Object.fromEntries([...rest, ...Object.entries(other).filter(([key]) => members.includes(key))]) as Draft;
}

/** Somebody else has saved since the draft was read. */
function isOutrun(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412;
}
