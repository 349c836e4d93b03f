import { Button, Text } from "@mantine/core";
import { EmptyState } from "../ui/empty-state.tsx";

interface NothingFoundProps {
  /** In the plural, such as `workflows`. */
  things: string;
  /** What was searched; empty: other filters alone. */
  search: string;
  onClear: () => void;
}

/** Instead of a list that has things, but none like these: what was asked, and the way back to all. */
export function NothingFound({ things, search, onClear }: NothingFoundProps) {
  return (
    <EmptyState title={`No ${things} like that`}>
      <Text className="quiet" maw={480} style={{ overflowWrap: "anywhere" }}>
        {search.trim() === "" ? "None has what the filters ask for." : `Nothing found for “${search.trim()}” with these filters.`}
      </Text>
      <Button variant="default" size="xs" onClick={onClear}>
        {`Show all ${things}`}
      </Button>
    </EmptyState>
  );
}
