import { Anchor, Group, Text } from "@mantine/core";
import type { Action } from "../../api/queries/actions.ts";
import { t } from "../../texts/actions.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import type { Selection } from "../../ui/table/use-selection.ts";
import classes from "./actions.module.css";

interface VoteBarProps {
  selection: Selection<Action>;
  whyNot: (action: Action) => string | undefined;
  onVote: (approved: boolean, actions: readonly Action[]) => void;
}

/** Decides what is chosen, with one comment for all. */
export function VoteBar({ selection, whyNot, onVote }: VoteBarProps) {
  const { chosen } = selection;
  const votable = chosen.filter((action) => whyNot(action) === undefined);
  const refusal =
    chosen.length === 0
      ? t("voteBar.selectActionsFirstTick")
      : votable.length === 0
        ? t("voteBar.cantDecideAnyThese", { chosen: String(chosen[0] && whyNot(chosen[0])) })
        : undefined;
  return (
    <Group className={classes.bulk} gap="xs" px="md">
      <Text size="sm" className={chosen.length === 0 ? "quiet" : ""} role="status">
        {chosen.length === 0
          ? t("voteBar.nothingSelected")
          : t(chosen.length === votable.length ? "voteBar.selected" : "voteBar.selectedPart", {
              count: chosen.length,
              votable: votable.length,
            })}
      </Text>
      <ActionButton size="compact-sm" variant="default" whyNot={refusal} onClick={() => onVote(true, votable)}>
        {t("voteBar.approveSelected")}
      </ActionButton>
      <ActionButton size="compact-sm" variant="default" whyNot={refusal} onClick={() => onVote(false, votable)}>
        {t("voteBar.rejectSelected")}
      </ActionButton>
      {chosen.length > 0 && (
        <Anchor component="button" size="sm" onClick={selection.clear}>
          {t("voteBar.clearSelection")}
        </Anchor>
      )}
    </Group>
  );
}
