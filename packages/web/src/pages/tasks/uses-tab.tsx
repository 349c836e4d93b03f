import { Anchor, Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { taskUsesQuery } from "../../api/queries/tasks.ts";
import { paths } from "../../paths.ts";
import { EmptyState } from "../../ui/state/empty-state.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import classes from "./tasks.module.css";

/** The workflows of the team that use the task, and in which version. */
export function UsesTab({ team, name, latest }: { team: string; name: string; latest: number }) {
  const query = useQuery(taskUsesQuery(team, name));
  const { data } = query;
  if (data === undefined) return <NotLoaded query={query} label="Loading workflows" />;
  if (data.length === 0)
    return (
      <EmptyState title="No workflow uses this task">
        <p className="quiet">You can delete it, or add it to a workflow in the designer.</p>
      </EmptyState>
    );
  return (
    <Table.ScrollContainer minWidth={360} px="md" maw={720} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Workflow</Table.Th>
            <Table.Th w={220}>Version of the task</Table.Th>
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
                {workflow.versions.some((version) => version < latest) && <span className="quiet"> · latest is {latest}</span>}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
