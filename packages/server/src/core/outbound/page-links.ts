/** Pages of the interface that messages link to. @param publicUrl without a slash at its end */

export function actionPage(publicUrl: string, teamName: string, actionId: string): string {
  return `${publicUrl}/${encodeURIComponent(teamName)}/actions/${encodeURIComponent(actionId)}`;
}

/** @param taskRunId the task whose log is shown */
export function runPage(publicUrl: string, teamName: string, runId: string, taskRunId?: string): string {
  const run = `${publicUrl}/${encodeURIComponent(teamName)}/activity/${encodeURIComponent(runId)}`;
  return taskRunId === undefined ? run : `${run}?task=${encodeURIComponent(taskRunId)}`;
}

/** @param scheduleId the one whose details are open */
export function schedulePage(publicUrl: string, teamName: string, scheduleId: string): string {
  return `${publicUrl}/${encodeURIComponent(teamName)}/schedules?schedule=${encodeURIComponent(scheduleId)}`;
}

/** @param teamName undefined: a subscription of the instance */
export function subscriptionPage(publicUrl: string, teamName: string | undefined, subscriptionId: string): string {
  const list = teamName === undefined ? "admin/events" : `${encodeURIComponent(teamName)}/integrations`;
  return `${publicUrl}/${list}?subscription=${encodeURIComponent(subscriptionId)}`;
}
