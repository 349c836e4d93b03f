/** Pages of the interface that messages link to. @param publicUrl without a slash at its end */

export function actionPage(publicUrl: string, teamName: string, actionId: string): string {
  return `${publicUrl}/${encodeURIComponent(teamName)}/actions/${encodeURIComponent(actionId)}`;
}

/** @param taskRunId the task whose log is shown */
export function runPage(publicUrl: string, teamName: string, runId: string, taskRunId?: string): string {
  const run = `${publicUrl}/${encodeURIComponent(teamName)}/activity/${encodeURIComponent(runId)}`;
  return taskRunId === undefined ? run : `${run}?task=${encodeURIComponent(taskRunId)}`;
}
