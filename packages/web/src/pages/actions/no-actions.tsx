import { Button, Text } from "@mantine/core";
import { EmptyState } from "../../ui/state/empty-state.tsx";
import { type InboxState, inboxDefaults } from "./actions-filter.ts";

/** Nothing waits, which is good; or nothing fits the filters. */
export function NoActions({ state, onShowAll }: { state: InboxState; onShowAll: () => void }) {
  const isPlain = (Object.keys(inboxDefaults) as (keyof InboxState)[]).every((key) => key === "page" || state[key] === inboxDefaults[key]);
  return (
    <EmptyState title={isPlain ? "No actions yet" : state.mine ? "Nothing needs your attention" : "No actions match these filters"}>
      {isPlain && <Text className="quiet">Approvals and manual tasks of runs appear here until somebody decides them.</Text>}
      <Button variant="default" onClick={onShowAll}>
        Show all actions
      </Button>
    </EmptyState>
  );
}
