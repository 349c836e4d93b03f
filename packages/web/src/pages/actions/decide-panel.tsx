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
  /** Who started the run; undefined until it is known. */
  requester: string | undefined;
}

/** Casts or delegates the caller's vote, and asks questions. Hidden once the action is finished. */
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
