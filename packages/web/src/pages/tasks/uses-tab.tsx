import { Anchor, Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { taskUsesQuery } from "../../api/queries/tasks.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/tasks.ts";
import { EmptyState } from "../../ui/state/empty-state.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import classes from "./tasks.module.css";

/** The workflows of the team that use the task, and in which version. */
export function UsesTab({ team, name, latest }: { team: string; name: string; latest: number }) {
  const query = useQuery(taskUsesQuery(team, name));
  const { data } = query;
  if (data === undefined) return <NotLoaded query={query} label={t("usesTab.loadingWorkflows")} />;
  if (data.length === 0)
    return (
      <EmptyState title={t("usesTab.noWorkflowUsesTask")}>
        <p className="quiet">{t("usesTab.deleteAddWorkflowDesigner")}</p>
      </EmptyState>
    );
  return (
    <Table.ScrollContainer minWidth={360} px="md" maw={720} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("usesTab.workflow")}</Table.Th>
            <Table.Th w={220}>{t("usesTab.versionTask")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.map((workflow) => (
            <Table.Tr key={workflow.name}>
              <Table.Td>
                <Anchor component={Link} to={paths.workflow(team, workflow.name)} underline="hover">
                  {workflow.displayName}
                </Anchor>
              </Table.Td>
              <Table.Td>
                {[...new Set(workflow.versions)].join(", ")}
                {workflow.versions.some((version) => version < latest) && <span className="quiet"> {t("usesTab.latest", { latest })}</span>}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
