import { AppError } from "../../base/error/app-error.ts";
import { type Lineage, lineageAttribute, lineageFault, lineageFaultText, lineageHeader } from "../../core/run/lineage.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findWorkflowNames } from "../../store/run/outcome-starts.ts";

export interface LoopCheck {
  teamId: string;
  workflow: { id: string; name: string };
  /** The lineage of the request for the run. */
  lineage: Lineage;
}

/** Why a request with this lineage can't start the workflow, as a sentence without its full stop; undefined if it can. */
export async function whyLoop(db: Queryable, { teamId, workflow, lineage }: LoopCheck): Promise<string | undefined> {
  const fault = lineageFault(lineage, workflow.id);
  return fault && lineageFaultText(fault, workflow.name, lineage, await findWorkflowNames(db, teamId, lineage));
}

/** @throws WORKFLOWRUN_LOOP */
export async function refuseLoop(db: Queryable, check: LoopCheck): Promise<void> {
  const why = await whyLoop(db, check);
  if (why !== undefined) throw new AppError("WORKFLOWRUN_LOOP", [why, `header ${lineageHeader}, attribute ${lineageAttribute}`]);
}
