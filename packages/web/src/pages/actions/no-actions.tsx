import { Button, Text } from "@mantine/core";
import { t } from "../../texts/actions.ts";
import { EmptyState } from "../../ui/state/empty-state.tsx";
import { type InboxState, inboxDefaults } from "./actions-filter.ts";

/** Nothing waits, which is good; or nothing fits the filters. */
export function NoActions({ state, onShowAll }: { state: InboxState; onShowAll: () => void }) {
  const isPlain = (Object.keys(inboxDefaults) as (keyof InboxState)[]).every((key) => key === "page" || state[key] === inboxDefaults[key]);
  return (
    <EmptyState
      title={isPlain ? t("noActions.noActionsYet") : state.mine ? t("noActions.nothingNeedsAttention") : t("noActions.noActionsMatchThese")}
    >
      {isPlain && <Text className="quiet">{t("noActions.approvalsManualTasksRuns")}</Text>}
      <Button variant="default" onClick={onShowAll}>
        {t("noActions.showAllActions")}
      </Button>
    </EmptyState>
  );
}
