import { Button, Text } from "@mantine/core";
import { t } from "../../texts/ui.ts";
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
    <EmptyState title={t("nothingFound.noMatching", { things })}>
      <Text className="quiet" maw={480} style={{ overflowWrap: "anywhere" }}>
        {search.trim() === ""
          ? t("nothingFound.nothingMatchesTheseFilters")
          : t("nothingFound.noResultsTheseFilters", { search: search.trim() })}
      </Text>
      <Button variant="default" size="xs" onClick={clear}>
        {t("nothingFound.showAll", { things })}
      </Button>
    </EmptyState>
  );
}
