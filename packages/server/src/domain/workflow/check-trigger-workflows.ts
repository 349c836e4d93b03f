import type { WorkflowTriggersInput } from "@millrace/contract/trigger.ts";
import { comparedTexts } from "../../core/workflow/workflow-document-triggers.ts";
import type { Queryable } from "../../store/database/database.ts";
import { filterWorkflowRefs } from "../../store/workflow/workflows.ts";
import { type CheckMode, saving } from "./check-mode.ts";
import { refuseFaults } from "./refuse-faults.ts";

/**
 * Checks that the workflows whose runs shall start this one are workflows of the team, as `runworkflow` has it: a misspelt name would never
 * start anything, and nobody would notice. Only what a write gives is looked at, so that a workflow which was deleted meanwhile does not
 * stand in the way of other changes.
 *
 * @param ownName of the workflow that is being saved, which may not be there yet
 * @throws VALIDATION_FAILED
 */
export async function checkTriggerWorkflows(
  db: Queryable,
  teamId: string,
  ownName: string,
  triggers: WorkflowTriggersInput | null | undefined,
  mode: CheckMode = saving,
): Promise<void> {
  const conditions = triggers?.workflow?.conditions ?? [];
  const named = conditions.flatMap((condition, index) =>
    condition.field === "workflows"
      ? comparedTexts(condition).map(({ text, place }) => ({ text, path: `/triggers/workflow/conditions/${index}/${place}` }))
      : [],
  );
  if (named.length === 0) return;
  const found = await filterWorkflowRefs(db, teamId, [...new Set(named.map(({ text }) => text))]);
  const isKnown = (text: string) => text === ownName || (found.has(text) && text === text.toLowerCase());
  refuseFaults(
    named
      .filter(({ text }) => !isKnown(text))
      .map(({ text, path }) => ({
        path,
        message: `is ${JSON.stringify(text.slice(0, 80))}; it must be the name (in lower case) or the id of a workflow of this team`,
      })),
    mode,
  );
}
