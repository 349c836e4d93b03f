import { Box } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { taskUsesQuery } from "../../api/queries/task/tasks.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/task/tasks.ts";
import { EmptyState } from "../../ui/state/notice.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { RowLink } from "../../ui/table/scroll-box.tsx";

/** The workflows of the team that use the task, and in which version. */
export function UsesTab({ team, name, latest }: { team: string; name: string; latest: number }) {
  const query = useQuery(taskUsesQuery(team, name));
  return (
    <Box px="md" pb="lg" maw={720}>
      <DataTable
        label={t("usesTab.workflows")}
        minWidth={360}
        query={query}
        rows={query.data}
        keyOf={(workflow) => workflow.name}
        columns={[
          {
            title: t("usesTab.workflow"),
            cell: (workflow) => <RowLink to={paths.workflow(team, workflow.name)}>{workflow.displayName}</RowLink>,
          },
          {
            title: t("usesTab.versionTask"),
            width: 220,
            cell: ({ versions }) => (
              <>
                {[...new Set(versions)].join(", ")}
                {versions.some((version) => version < latest) && (
                  <span className="quiet"> {t("usesTab.latest", { latest: String(latest) })}</span>
                )}
              </>
            ),
          },
        ]}
        empty={
          <EmptyState title={t("usesTab.noWorkflowUsesTask")}>
            <p className="quiet">{t("usesTab.deleteAddWorkflowDesigner")}</p>
          </EmptyState>
        }
      />
    </Box>
  );
}
