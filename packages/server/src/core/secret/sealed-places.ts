/**
 * The place of each kind of secret. It is the additional data of its envelope, so that an envelope that was copied elsewhere can't be
 * opened. A parameter's name is not part of it, because lists of parameters are copied and renamed as a whole within their team.
 */

export const globalParametersPlace = "global_parameter|document";

export function settingPlace(group: string, key: string): string {
  return `setting|${group}|${key}`;
}

export function teamParametersPlace(teamId: string): string {
  return `${teamId}|team|parameters`;
}

/** One place for all workflows of a team: duplicating a workflow keeps its secrets. */
export function workflowParametersPlace(teamId: string): string {
  return `${teamId}|workflow_version|document`;
}

/** The secret that signs webhooks for this workflow. */
export function webhookSecretPlace(teamId: string, workflowId: string): string {
  return `${teamId}|webhook_secret|${workflowId}`;
}

/** One place for all templates: a secret that belongs to no team can't be opened in any team. */
export const templateParametersPlace = "workflow_template_version|document";

/**
 * @param teamId null: a global task. There is one place for all versions of all tasks, since a new version keeps what it does not change.
 */
export function taskParametersPlace(teamId: string | null): string {
  return `${teamId ?? "global"}|task_version|spec`;
}

/** One place for all schedules of a team. */
export function scheduleParametersPlace(teamId: string): string {
  return `${teamId}|schedule|params`;
}

export function runSecretsPlace(teamId: string, runId: string): string {
  return `${teamId}|run|${runId}|secrets`;
}

/** @param workspace the platform's id of the workspace */
export function chatTokenPlace(workspace: string): string {
  return `chat_workspace|${workspace}|token`;
}

export const chatStatePlace = "chat|install|state";

export function subscriptionSecretPlace(subscriptionId: string): string {
  return `subscription|${subscriptionId}|secret`;
}

/** The address to which a webhook is sent. */
export function subscriptionAddressPlace(subscriptionId: string): string {
  return `subscription|${subscriptionId}|address`;
}
