import { Group, Stack, Text, Textarea, Title } from "@mantine/core";
import { useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { type Action, castVote, touchedByVotes } from "../../api/queries/actions.ts";
import { actionWords, stillNeeded, useVoter } from "../../components/actions/vote-rule.ts";
import { useApiMutation } from "../../hooks/use-renew.ts";
import { t } from "../../texts/actions.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import classes from "./action-page.module.css";

interface DecidePanelProps {
  team: string;
  action: Action;
  /** Who started the run, once that is known. */
  requester: string | undefined;
}

/** Where the vote is cast. When the action is over, or somebody may not vote, it says so instead of vanishing. */
export function DecidePanel({ team, action, requester }: DecidePanelProps) {
  const [comments, setComments] = useState("");
  const vote = useApiMutation({
    changes: [...touchedByVotes, "overview"],
    team,
    // Somebody else may have been quicker, or the run has moved on.
    evenRefused: true,
    mutationFn: (approved: boolean) => castVote(team, { id: action.id, approved, comments }),
    onSuccess: () => setComments(""),
  });
  const whyNot = useVoter(team).whyNot(action, requester);
  const { yes, no } = actionWords[action.type];
  if (action.status !== "submitted") return null;
  return (
    <section aria-label={t("decidePanel.decide")} className={classes.panel}>
      <Stack gap="xs">
        <Title order={2}>{t("decidePanel.decide")}</Title>
        <Text size="sm">{stillNeeded(action)}</Text>
        <Textarea
          label={t("decidePanel.comment")}
          description={t("decidePanel.commentHelp")}
          autosize
          minRows={2}
          maxLength={10_000}
          disabled={whyNot !== undefined}
          value={comments}
          onChange={(event) => setComments(event.currentTarget.value)}
        />
        {vote.error !== null && (
          <Text role="alert" c="var(--status-failed)">
            {messageOf(vote.error)}
          </Text>
        )}
        {whyNot !== undefined && <Text size="sm">{whyNot}</Text>}
        <Group gap="xs">
          <ActionButton whyNot={whyNot} loading={vote.isPending && vote.variables} onClick={() => vote.mutate(true)}>
            {yes}
          </ActionButton>
          <ActionButton variant="default" whyNot={whyNot} loading={vote.isPending && !vote.variables} onClick={() => vote.mutate(false)}>
            {no}
          </ActionButton>
        </Group>
      </Stack>
    </section>
  );
}
