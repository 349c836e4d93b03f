import { Anchor, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { activityQuery } from "../../api/queries/run/activity.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { useParam, useTeam } from "../../hooks/use-team.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/workflow/workflow-overview.ts";
import { PageChoice } from "../../ui/list/search-field.tsx";
import { PlaceLink } from "../../ui/page-header.tsx";
import { QueryView } from "../../ui/state/not-loaded.tsx";
import { EmptyState } from "../../ui/state/notice.tsx";
import { RunsTable } from "../activity/runs-table.tsx";

const pageSize = 25;

/** The runs of one workflow, newest first. The activity page has filters. */
export function WorkflowRunsPage() {
  const team = useTeam();
  const workflow = useParam("workflow");
  const [{ page }, change] = useSearchState({ page: 0 });
  const query = useQuery(activityQuery(team, { workflows: [workflow] }, { page: Math.max(0, Number(page) || 0), limit: pageSize }));
  return (
    <Stack gap="sm" p="md">
      <Anchor component={PlaceLink} to={paths.activity(team)} search={{ workflows: [workflow] }} size="sm">
        {t("runsPage.filters")}
      </Anchor>
      <QueryView query={query} label={t("runsPage.loading")} rows={10}>
        {(data) =>
          data.totalElements === 0 ? (
            <EmptyState title={t("runsPage.noRuns")} />
          ) : (
            <>
              <RunsTable team={team} runs={data.content} isOfOne />
              <PageChoice
                page={data.number}
                size={pageSize}
                total={data.totalElements}
                onChange={(next) => change({ page: next }, { replace: false })}
              />
            </>
          )
        }
      </QueryView>
    </Stack>
  );
}
