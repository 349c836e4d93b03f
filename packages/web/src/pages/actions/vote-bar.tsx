import { Anchor, Group, Text } from "@mantine/core";
import type { Action } from "../../api/queries/actions.ts";
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
      ? "Select actions first: tick them, or press x on a row."
      : votable.length === 0
        ? `You can't decide any of these. ${chosen[0] && whyNot(chosen[0])}`
        : undefined;
  const told = chosen.length === votable.length ? "" : `, you can decide ${votable.length}`;
  return (
    <Group className={classes.bulk} gap="xs" px="md">
      <Text size="sm" className={chosen.length === 0 ? "quiet" : ""} role="status">
        {chosen.length === 0 ? "Nothing selected" : `${chosen.length} selected${told}`}
      </Text>
      <ActionButton size="compact-sm" variant="default" whyNot={refusal} onClick={() => onVote(true, votable)}>
        Approve selected
      </ActionButton>
      <ActionButton size="compact-sm" variant="default" whyNot={refusal} onClick={() => onVote(false, votable)}>
        Reject selected
      </ActionButton>
      {chosen.length > 0 && (
        <Anchor component="button" size="sm" onClick={selection.clear}>
          Clear selection
        </Anchor>
      )}
    </Group>
  );
}
