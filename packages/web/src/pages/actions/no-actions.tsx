import { Button, Text } from "@mantine/core";
import { EmptyState } from "../../ui/empty-state.tsx";
import { type InboxState, inboxDefaults } from "./actions-filter.ts";

/** Nothing waits, which is good; or nothing fits the filters. */
export function NoActions({ state, onShowAll }: { state: InboxState; onShowAll: () => void }) {
  const isPlain = (Object.keys(inboxDefaults) as (keyof InboxState)[]).every((key) => key === "page" || state[key] === inboxDefaults[key]);
  return (
    <EmptyState title={isPlain ? "Nothing waits for anybody" : state.mine ? "Nothing waits for you" : "No action fits these filters"}>
      {isPlain && (
        <Text className="quiet">
          When a run comes to an approval or a manual task, it is here until it is decided. The run goes on then.
        </Text>
      )}
      <Button variant="default" onClick={onShowAll}>
        Show all actions
      </Button>
    </EmptyState>
  );
}
