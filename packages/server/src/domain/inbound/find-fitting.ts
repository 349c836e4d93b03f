import { type InboundEvent, unmetCondition } from "../../core/inbound/trigger-conditions.ts";
import type { TriggeredWorkflow } from "../../store/workflow/triggered-workflows.ts";

/** The longest stretch of work before other requests are served. */
const longestTurnMs = 10;

/**
 * The workflows whose conditions and filters hold. Each check may take a tenth of a second, and there may be a thousand of them, so other
 * requests are served in between.
 */
export async function findFitting(workflows: readonly TriggeredWorkflow[], arrived: InboundEvent): Promise<TriggeredWorkflow[]> {
  const fitting: TriggeredWorkflow[] = [];
  let begin = performance.now();
  for (const workflow of workflows) {
    if (unmetCondition(workflow.trigger, arrived) === undefined) fitting.push(workflow);
    if (performance.now() - begin < longestTurnMs) continue;
    await new Promise((resolve) => setImmediate(resolve));
    begin = performance.now();
  }
  return fitting;
}
