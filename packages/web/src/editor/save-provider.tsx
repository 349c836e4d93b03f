import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ApiError } from "../api/api-error.ts";
import { type LoadedWorkflow, workflowDraftQuery } from "../api/queries/workflow-draft.ts";
import { ConflictDialog } from "./conflict-dialog.tsx";
import { draftOf } from "./draft.ts";
import { useDraft } from "./draft-context.ts";
import { LeaveGuard } from "./leave-guard.tsx";
import { SaveContext, type SaveOptions, type Saving } from "./save-context.ts";
import { sendDraft } from "./send-draft.ts";

interface SaveProviderProps {
  /** The workflow as it is on the server, as far as is known here. */
  newest: LoadedWorkflow;
  /** Says what the draft rests on from now on. */
  onBase: (loaded: LoadedWorkflow) => void;
  children: ReactNode;
}

/** Saves the draft on top of what it was read from; when somebody else was faster, both are compared before anything is written. */
export function SaveProvider({ newest, onBase, children }: SaveProviderProps) {
  const { team, workflow, loaded, history, dispatch, isDirty, setPendingText } = useDraft();
  const client = useQueryClient();
  const [isComparing, compare] = useState(false);
  const query = workflowDraftQuery(team, workflow, 0);
  const saving = useMutation({
    mutationFn: (options: SaveOptions) => sendDraft(team, history, { ...options, etag: (options.over ?? loaded).etag }),
    onSuccess: ({ missingSecrets, ...saved }) => {
      client.setQueryData(query.queryKey, saved);
      onBase(saved);
      dispatch({ type: "saved", sent: history.present, draft: draftOf(saved.data) });
      compare(false);
      notifications.show({ message: `Saved as version ${saved.data.version}.`, color: "green" });
      if (missingSecrets)
        notifications.show({ message: `Some secrets have to be given again: ${missingSecrets}`, color: "yellow", autoClose: false });
      for (const word of ["workflows", "workflow"]) void client.invalidateQueries({ queryKey: [word, team] });
    },
    onError: async (error) => {
      if (!(error instanceof ApiError && error.status === 412)) return;
      await client.fetchQuery({ ...query, staleTime: 0 });
      compare(true);
    },
  });
  const newer = newest.etag === loaded.etag ? undefined : newest;
  const isConflict = saving.error instanceof ApiError && saving.error.status === 412;
  const value: Saving = {
    save: (options = {}) => saving.mutate(options),
    isSaving: saving.isPending,
    error: isConflict ? null : saving.error,
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
