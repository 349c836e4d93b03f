import { Title } from "@mantine/core";
import type { components } from "../../api/schema.generated.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import classes from "./action-page.module.css";

/** What the run was given: that is mostly what is decided. Values of secrets never come here. */
export function RunContext({ run }: { run: components["schemas"]["WorkflowRun"] | undefined }) {
  if (run === undefined || run.params.length === 0) return null;
  return (
    <section aria-label="Parameters of the run">
      <Title order={2} mb={4}>
        Parameters of the run
      </Title>
      <DataTable
        label="Values"
        rows={run.params}
        keyOf={({ name }) => name}
        columns={[
          { title: "Parameter", kind: "name", width: 200, cell: ({ name }) => name },
          {
            title: "Value",
            cell: ({ value }) => <code className={classes.value}>{typeof value === "string" ? value : JSON.stringify(value)}</code>,
          },
        ]}
      />
    </section>
  );
}
