import { Button, Text } from "@mantine/core";
import { EmptyState } from "../state/empty-state.tsx";
import { focusFilter } from "./focus-filter.ts";

interface NothingFoundProps {
  /** In the plural, such as `workflows`. */
  things: string;
  /** What was searched; empty: other filters alone. */
  search: string;
  onClear: () => void;
}

/** Instead of a list that has things, but none like these: what was asked, and the way back to all. */
export function NothingFound({ things, search, onClear }: NothingFoundProps) {
  const clear = () => {
    onClear();
    focusFilter();
  };
  return (
    <EmptyState title={`No matching ${things}`}>
      <Text className="quiet" maw={480} style={{ overflowWrap: "anywhere" }}>
        {search.trim() === "" ? "Nothing matches these filters." : `No results for “${search.trim()}” with these filters.`}
      </Text>
      <Button variant="default" size="xs" onClick={clear}>
        {`Show all ${things}`}
      </Button>
    </EmptyState>
  );
}
