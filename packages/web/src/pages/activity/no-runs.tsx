import { Button, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { t } from "../../texts/activity.ts";
import { focusFilter } from "../../ui/list/focus-filter.ts";
import { EmptyState } from "../../ui/state/empty-state.tsx";

/** Nothing was found, or nothing ran yet: each with the way on. */
export function NoRuns({ team, isFiltered, onClear }: { team: string; isFiltered: boolean; onClear: () => void }) {
  if (isFiltered)
    return (
      <EmptyState title={t("noRuns.noRunsMatchThese")}>
        <Button
          variant="default"
          onClick={() => {
            onClear();
            focusFilter();
          }}
        >
          {t("noRuns.clearFilters")}
        </Button>
      </EmptyState>
    );
  return (
    <EmptyState title={t("noRuns.noRunsYet")}>
      <Text className="quiet">{t("noRuns.runsAppearHereWhen")}</Text>
      <Button component={Link} to={paths.workflows(team)}>
        {t("noRuns.goWorkflows")}
      </Button>
    </EmptyState>
  );
}
