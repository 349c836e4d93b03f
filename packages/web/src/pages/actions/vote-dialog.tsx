import { Textarea } from "@mantine/core";
import { useState } from "react";
import { type Action, castVote, touchedByVotes } from "../../api/queries/actions.ts";
import { actionWords } from "../../components/actions/vote-rule.ts";
import { BulkDialog } from "../../components/bulk/bulk-dialog.tsx";
import { t } from "../../texts/actions.ts";

interface VoteDialogProps {
  team: string;
  approved: boolean;
  actions: readonly Action[];
  onClose: (done: readonly string[]) => void;
}

/** Asks for the comment, votes on each, and tells which votes were taken. */
export function VoteDialog({ team, approved, actions, onClose }: VoteDialogProps) {
  const [comments, setComments] = useState("");
  const [only] = actions;
  const words = actionWords[actions.every(({ type }) => type === "manual") ? "manual" : "approval"];
  const verb = approved ? words.yes : words.no;
  return (
    <BulkDialog
      title={
        actions.length === 1 && only
          ? t("voteDialog.titleOfOne", { verb, task: only.taskName, workflow: only.workflowName })
          : t("voteDialog.title", { verb, count: actions.length })
      }
      action={actions.length === 1 ? verb : `${verb} ${actions.length}`}
      isDangerous={!approved}
      things={actions.map(({ id, taskName, workflowName }) => ({ id, name: `${taskName} · ${workflowName}` }))}
      onEach={({ id }) =>
        castVote(team, { id, approved, comments }).then(() => t(approved ? "voteDialog.approved" : "voteDialog.rejected"))
      }
      touches={touchedByVotes}
      team={team}
      onClose={onClose}
    >
      <Textarea
        label={t("voteDialog.comment")}
        description={t("voteDialog.optionalSavedDecisionOptional", { count: actions.length })}
        data-autofocus
        autosize
        minRows={2}
        maxLength={10_000}
        value={comments}
        onChange={(event) => setComments(event.currentTarget.value)}
      />
    </BulkDialog>
  );
}
