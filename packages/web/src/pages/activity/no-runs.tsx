import { Button, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { focusFilter } from "../../ui/list/focus-filter.ts";
import { EmptyState } from "../../ui/state/empty-state.tsx";

/** Nothing was found, or nothing ran yet: each with the way on. */
export function NoRuns({ team, isFiltered, onClear }: { team: string; isFiltered: boolean; onClear: () => void }) {
  if (isFiltered)
    return (
      <EmptyState title="No runs match these filters">
        <Button
          variant="default"
          onClick={() => {
            onClear();
            focusFilter();
          }}
        >
          Clear filters
        </Button>
      </EmptyState>
    );
  return (
    <EmptyState title="No runs yet">
      <Text className="quiet">Runs appear here when a workflow is started manually, by a schedule or by an event.</Text>
      <Button component={Link} to={paths.workflows(team)}>
        Go to workflows
      </Button>
    </EmptyState>
  );
}
