import type { ListedWorkflowTest, WorkflowTest } from "@millrace/contract/workflow/workflow-test.ts";
import type { ListedTestRow, WorkflowTestRow } from "../../../store/workflow/workflow-tests.ts";

export function viewTest(workflow: string, { id, name, version, document, changedAt }: WorkflowTestRow): WorkflowTest {
  return { id, name, workflow, version, changeDate: changedAt.toISOString(), ...document };
}

export function viewListed(row: ListedTestRow): ListedWorkflowTest {
  const { id, name, description, version, author, changedAt, outcome, message, testedAt, workflowVersion } = row;
  return {
    ...{ id, name, version, author, changeDate: changedAt.toISOString() },
    ...(description !== null && { description }),
    ...(outcome !== null &&
      testedAt !== null && {
        lastOutcome: { workflowVersion: workflowVersion ?? 0, outcome, ...(message !== null && { message }), date: testedAt.toISOString() },
      }),
  };
}
