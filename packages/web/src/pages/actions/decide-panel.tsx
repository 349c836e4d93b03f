import { Stack, Text, Title } from "@mantine/core";
import type { Action } from "../../api/queries/actions.ts";
import { DecideForm } from "../../components/actions/decide-form.tsx";
import { DiscussAction } from "../../components/actions/discuss-action.tsx";
import { stillNeeded, useVoter } from "../../components/actions/vote-rule.ts";
import { t } from "../../texts/actions.ts";
import classes from "./action-page.module.css";

interface DecidePanelProps {
  team: string;
  action: Action;
  /** Who started the run, once that is known. */
  requester: string | undefined;
}

/** Where the vote is cast, or given to someone else, and questions are asked. Nothing of it remains when the action is over. */
export function DecidePanel({ team, action, requester }: DecidePanelProps) {
  const whyNot = useVoter(team).whyNot(action, requester);
  if (action.status !== "submitted") return null;
  return (
    <section aria-label={t("decidePanel.decide")} className={classes.panel}>
      <Stack gap="xs">
        <Title order={2}>{t("decidePanel.decide")}</Title>
        <Text size="sm">{stillNeeded(action)}</Text>
        <DiscussAction team={team} action={action} whyNot={whyNot} />
        <DecideForm team={team} action={action} requester={requester} />
      </Stack>
    </section>
  );
}
