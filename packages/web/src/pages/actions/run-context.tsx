import { Table, Title } from "@mantine/core";
import type { components } from "../../api/schema.generated.ts";
import { t } from "../../texts/actions.ts";
import classes from "./action-page.module.css";

/** What the run was given: that is mostly what is decided. Values of secrets never come here. */
export function RunContext({ run }: { run: components["schemas"]["WorkflowRun"] | undefined }) {
  if (run === undefined || run.params.length === 0) return null;
  return (
    <section aria-label={t("runContext.parametersRun")}>
      <Title order={2} mb={4}>
        {t("runContext.parametersRun")}
      </Title>
      <Table verticalSpacing={6} horizontalSpacing="sm" className={classes.table}>
        <Table.Tbody>
          {run.params.map(({ name, value }) => (
            <Table.Tr key={name}>
              <Table.Th w={200} fw={500}>
                {name}
              </Table.Th>
              <Table.Td>
                <code className={classes.value}>{typeof value === "string" ? value : JSON.stringify(value)}</code>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
