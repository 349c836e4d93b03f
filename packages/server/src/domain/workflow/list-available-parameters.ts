import { actionFieldNames, opensAction } from "@millrace/contract/action/action-fields.ts";
import type { WorkflowResult } from "@millrace/contract/workflow/workflow.ts";
import { availableParameters, contextParameters } from "../../core/parameter/parameters-available.ts";
import type { WorkflowDocument } from "../../core/workflow/workflow-document.ts";
import type { Queryable } from "../../store/database/database.ts";
import { readSettings } from "../../store/settings/settings.ts";
import { listTasksForNodes, type WantedTask } from "../../store/task/task-uses.ts";
import { listGlobalParameterNames } from "../../store/team/global-parameters.ts";
import { findTeam } from "../../store/team/teams.ts";
import type { CheckedCall } from "./calls/find-calls.ts";

/** Everything that can be written between `$(` and `)` in a workflow: parameters of all layers, and results of its tasks. */
export async function listAvailableParameters(
  db: Queryable,
  teamId: string,
  document: WorkflowDocument,
  calls: readonly CheckedCall[],
): Promise<string[]> {
  const team = await findTeam(db, teamId);
  const { features } = await readSettings(db);
  const declared = await declaredResults(db, teamId, document);
  return availableParameters({
    global: features.globalParameters ? await listGlobalParameterNames(db, teamId) : [],
    team: features.teamParameters ? (team?.parameters ?? []).map(({ name }) => name) : [],
    workflow: document.params.map(({ name }) => name),
    context: contextParameters,
    topics: document.tasks.filter(({ type }) => type === "eventwait").flatMap(topicOf),
    tasks: document.tasks.map((task) => ({
      name: task.name,
      results: [
        ...new Set([
          ...(declared.get(keyOf(task)) ?? []),
          ...task.results.map(({ name }) => name),
          ...fieldsOf(task),
          ...childResults(calls, task.name).map(({ name }) => name),
        ]),
      ],
    })),
  });
}

/** The results of the workflow that a task waits for. */
export function childResults(calls: readonly CheckedCall[], name: string): readonly WorkflowResult[] {
  const call = calls.find(({ task }) => task === name);
  return call?.waits === false ? [] : (call?.child?.results ?? []);
}

/** Fields that people fill in are results, too. */
function fieldsOf({ type, params }: WorkflowDocument["tasks"][number]): string[] {
  return opensAction(type) ? (actionFieldNames(params) ?? []) : [];
}

/** A topic with references differs from run to run, so it has no fixed address. */
function topicOf({ params }: { params: readonly { name: string; value?: unknown }[] }): string[] {
  const topic = params.find(({ name }) => name === "topic")?.value;
  return typeof topic === "string" && topic !== "" && !topic.includes("$(") ? [topic] : [];
}

interface TaskUse {
  taskRef?: string;
  taskVersion?: number;
}

function keyOf({ taskRef, taskVersion }: TaskUse): string {
  return `${taskVersion}/${taskRef}`;
}

/** Names of the results that the definitions in use declare. */
async function declaredResults(db: Queryable, teamId: string, document: WorkflowDocument): Promise<Map<string, string[]>> {
  const uses = new Map(document.tasks.filter((task) => task.taskRef !== undefined).map((task) => [keyOf(task), task]));
  const wanted = [...uses.values()].map((task): WantedTask => ({ ref: task.taskRef ?? "", version: task.taskVersion ?? null }));
  const keys = [...uses.keys()];
  const found = await listTasksForNodes(db, teamId, wanted);
  return new Map(found.map(({ position, spec }) => [keys[position] ?? "", (spec?.results ?? []).map(({ name }) => name)]));
}
