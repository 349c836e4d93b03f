import { Button, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { focusFilter } from "../../components/focus-filter.ts";
import { paths } from "../../paths.ts";
import { EmptyState } from "../../ui/empty-state.tsx";

/** Nothing was found, or nothing ran yet: each with the way on. */
export function NoRuns({ team, isFiltered, onClear }: { team: string; isFiltered: boolean; onClear: () => void }) {
  if (isFiltered)
    return (
      <EmptyState title="No run fits these filters">
        <Button
          variant="default"
          onClick={() => {
            onClear();
            focusFilter();
          }}
        >
          Clear the filters
        </Button>
      </EmptyState>
    );
  return (
    <EmptyState title="Nothing has run yet">
      <Text className="quiet">Runs appear here as soon as a workflow is submitted by hand, by a schedule or by an event.</Text>
      <Button component={Link} to={paths.workflows(team)}>
        Go to the workflows
      </Button>
    </EmptyState>
  );
}
