import type { AbstractParam } from "@millrace/contract/common.ts";
import type { WorkflowPreviewRequest } from "@millrace/contract/workflow/workflow-preview.ts";
import { secretMask } from "../../../core/parameter/secret-params.ts";
import type { Layers } from "../../../core/run/run-state.ts";
import type { Plan } from "../../../core/workflow/plan.ts";
import type { WorkflowDocument } from "../../../core/workflow/workflow-document.ts";
import type { Queryable } from "../../../store/database/database.ts";
import { listTeamGlobalParameters } from "../../../store/team/global-parameters.ts";
import { findTeam } from "../../../store/team/teams.ts";
import type { RunContext } from "../../run/run-context.ts";
import { buildLayers, callbackTopics } from "../../run/run-layers.ts";
import type { DraftedWorkflow } from "./drafted-workflow.ts";
import { paramsOfTrial, type SourceRun } from "./trial-values.ts";

interface DraftValues {
  team: { id: string; name: string };
  request: Pick<WorkflowPreviewRequest, "params">;
  fromRun?: SourceRun | undefined;
  seesParameters: boolean;
  plan: Plan;
  document: WorkflowDocument;
  drafted: DraftedWorkflow;
}

/** The parameter layers that a run would have now, masked: nothing is decrypted for them. Values that only a run knows are missing. */
export async function draftLayers(db: Queryable, { settings, publicUrl }: RunContext, values: DraftValues): Promise<Layers> {
  const { team, request, fromRun, seesParameters, plan, document, drafted } = values;
  const { features } = await settings.load(db);
  const global = features.globalParameters ? await listTeamGlobalParameters(db, team.id) : [];
  const own = features.teamParameters ? ((await findTeam(db, team.id))?.parameters ?? []) : [];
  const shown = (params: readonly AbstractParam[]) =>
    seesParameters ? params : params.map(({ name }) => ({ name, type: "password", value: secretMask }));
  return buildLayers({
    global: shown(global),
    team: shown(own),
    declared: document.params,
    given: paramsOfTrial(request.params ?? [], document.params, fromRun),
    context: contextOf(team, drafted, publicUrl),
    callbackUrls: Object.fromEntries(callbackTopics(plan).map((topic) => [topic, ""])),
  }).masked;
}

function contextOf(team: { name: string }, { name, id, version, whole }: DraftedWorkflow, publicUrl: string): Record<string, unknown> {
  return {
    "workflow-name": name,
    "workflow-displayname": whole.displayName || name,
    "team-name": team.name,
    ...(version !== undefined && { "workflow-version": version }),
    ...(id !== undefined && {
      "workflow-ref": id,
      "workflow-id": id,
      "webhook-url": `${publicUrl}/api/v2/webhook?ref=${id}`,
      "event-url": `${publicUrl}/api/v2/event?ref=${id}`,
    }),
  };
}
