import { decideActions } from "../api/action/decide-actions.ts";
import { getAction } from "../api/action/get-action.ts";
import { queryActions } from "../api/action/query-actions.ts";
import { summarizeActions } from "../api/action/summarize-actions.ts";
import { getAuditEntry, getTeamAuditEntry } from "../api/audit/get-audit-entry.ts";
import { queryAudit } from "../api/audit/query-audit.ts";
import { queryFailedSignIns } from "../api/audit/query-failed-sign-ins.ts";
import { queryTeamAudit } from "../api/audit/query-team-audit.ts";
import { watchChanges } from "../api/change/watch-changes.ts";
import { watchTeamChanges } from "../api/change/watch-team-changes.ts";
import type { Endpoint } from "../api/endpoint.ts";
import { getHealth } from "../api/health/get-health.ts";
import { getReady } from "../api/health/get-ready.ts";
import { getHistory } from "../api/history/get-history.ts";
import { activateInstance } from "../api/identity/activate-instance.ts";
import { changeProfile } from "../api/identity/change-profile.ts";
import { changeUser } from "../api/identity/change-user.ts";
import { createToken } from "../api/identity/create-token.ts";
import { deleteToken } from "../api/identity/delete-token.ts";
import { deleteUser } from "../api/identity/delete-user.ts";
import { getProfile } from "../api/identity/get-profile.ts";
import { getUser } from "../api/identity/get-user.ts";
import { makePasswordCode } from "../api/identity/make-password-code.ts";
import { queryTokens } from "../api/identity/query-tokens.ts";
import { queryUsers } from "../api/identity/query-users.ts";
import { changePassword } from "../api/identity/sign-in/change-password.ts";
import { endSession } from "../api/identity/sign-in/end-session.ts";
import { finishOidc } from "../api/identity/sign-in/finish-oidc.ts";
import { getCaller } from "../api/identity/sign-in/get-caller.ts";
import { listMethods } from "../api/identity/sign-in/list-methods.ts";
import { listSessions } from "../api/identity/sign-in/list-sessions.ts";
import { resetPassword } from "../api/identity/sign-in/reset-password.ts";
import { signInWithPassword } from "../api/identity/sign-in/sign-in-with-password.ts";
import { signInWithToken } from "../api/identity/sign-in/sign-in-with-token.ts";
import { signOut } from "../api/identity/sign-in/sign-out.ts";
import { startOidc } from "../api/identity/sign-in/start-oidc.ts";
import { getCallback } from "../api/inbound/get-callback.ts";
import { postCallback } from "../api/inbound/post-callback.ts";
import { receiveEvent } from "../api/inbound/receive-event.ts";
import { receiveWebhook } from "../api/inbound/receive-webhook.ts";
import { beginChatInstall } from "../api/integration/begin-chat-install.ts";
import { finishChatInstall } from "../api/integration/finish-chat-install.ts";
import { getInstallation } from "../api/integration/get-installation.ts";
import { linkChatWorkspace } from "../api/integration/link-chat-workspace.ts";
import { linkInstallation } from "../api/integration/link-installation.ts";
import { listChatWorkspaces } from "../api/integration/list-chat-workspaces.ts";
import { listIntegrations } from "../api/integration/list-integrations.ts";
import { receiveChatCommand } from "../api/integration/receive-chat-command.ts";
import { receiveChatEvent } from "../api/integration/receive-chat-event.ts";
import { receiveChatInteraction } from "../api/integration/receive-chat-interaction.ts";
import { unlinkChatWorkspace } from "../api/integration/unlink-chat-workspace.ts";
import { unlinkInstallation } from "../api/integration/unlink-installation.ts";
import { getLog } from "../api/log/get-log.ts";
import { searchLog } from "../api/log/search-log.ts";
import { getContext } from "../api/navigation/get-context.ts";
import { getOverview } from "../api/navigation/get-overview.ts";
import { listNavigation } from "../api/navigation/list-navigation.ts";
import { searchEverything } from "../api/navigation/search-everything.ts";
import { changeSubscription, replaceSubscription } from "../api/outbound/change-subscription.ts";
import { createSubscription } from "../api/outbound/create-subscription.ts";
import { deleteSubscription } from "../api/outbound/delete-subscription.ts";
import { getSubscription } from "../api/outbound/get-subscription.ts";
import { queryDeliveries } from "../api/outbound/query-deliveries.ts";
import { querySubscriptions } from "../api/outbound/query-subscriptions.ts";
import { replayDeadDeliveries, replayDelivery } from "../api/outbound/replay-deliveries.ts";
import { rotateSecret } from "../api/outbound/rotate-secret.ts";
import { testSubscription } from "../api/outbound/test-subscription.ts";
import { createParameter } from "../api/parameter/create-parameter.ts";
import { deleteParameter } from "../api/parameter/delete-parameter.ts";
import { listParameters } from "../api/parameter/list-parameters.ts";
import { replaceParameter } from "../api/parameter/replace-parameter.ts";
import { cancelRun } from "../api/run/cancel-run.ts";
import { changeRun } from "../api/run/change-run.ts";
import { countRuns } from "../api/run/count-runs.ts";
import { finalizeRun } from "../api/run/finalize-run.ts";
import { getRun } from "../api/run/get-run.ts";
import { getTaskRun } from "../api/run/get-task-run.ts";
import { getInstanceInsights } from "../api/run/insights/get-instance-insights.ts";
import { getTeamInsights } from "../api/run/insights/get-team-insights.ts";
import { queryFollowUps } from "../api/run/query-follow-ups.ts";
import { queryRuns } from "../api/run/query-runs.ts";
import { queryTaskRuns } from "../api/run/query-task-runs.ts";
import { rerunRun } from "../api/run/rerun-run.ts";
import { retryRun } from "../api/run/retry-run.ts";
import { startRun } from "../api/run/start-run.ts";
import { applySchedule } from "../api/schedule/apply-schedule.ts";
import { backfillSchedule } from "../api/schedule/backfill-schedule.ts";
import { createSchedule } from "../api/schedule/create-schedule.ts";
import { deleteSchedule } from "../api/schedule/delete-schedule.ts";
import { getSchedule } from "../api/schedule/get-schedule.ts";
import { listCalendars } from "../api/schedule/list-calendars.ts";
import { queryFirings } from "../api/schedule/query-firings.ts";
import { querySchedules } from "../api/schedule/query-schedules.ts";
import { submitSchedule } from "../api/schedule/submit-schedule.ts";
import { validateCron } from "../api/schedule/validate-cron.ts";
import { changeSettings } from "../api/settings/change-settings.ts";
import { getFeatures } from "../api/settings/get-features.ts";
import { listSettings } from "../api/settings/list-settings.ts";
import { applyGlobalTask, applyTeamTask } from "../api/task/apply-task.ts";
import { createGlobalTask, createTeamTask } from "../api/task/create-task.ts";
import { deleteTeamTask } from "../api/task/delete-task.ts";
import { getGlobalTask, getTeamTask } from "../api/task/get-task.ts";
import { listGlobalTaskChanges, listTeamTaskChanges } from "../api/task/list-task-changes.ts";
import { queryGlobalTasks, queryTeamTasks } from "../api/task/query-tasks.ts";
import { tryTask } from "../api/task/try-task.ts";
import { validateGlobalTask, validateTeamTask } from "../api/task/validate-task.ts";
import { changeTeam } from "../api/team/change-team.ts";
import { createTeam } from "../api/team/create-team.ts";
import { deleteApprovers } from "../api/team/delete-approvers.ts";
import { deleteMembers } from "../api/team/delete-members.ts";
import { deleteTeamParameter } from "../api/team/delete-parameter.ts";
import { deleteTeam } from "../api/team/delete-team.ts";
import { getDefaultQuotas } from "../api/team/get-default-quotas.ts";
import { getTeam } from "../api/team/get-team.ts";
import { leaveTeam } from "../api/team/leave-team.ts";
import { listRoles } from "../api/team/list-roles.ts";
import { queryTeams } from "../api/team/query-teams.ts";
import { resetQuotas } from "../api/team/reset-quotas.ts";
import { validateTeamName } from "../api/team/validate-team-name.ts";
import { applyTemplate } from "../api/template/apply-template.ts";
import { createTemplate } from "../api/template/create-template.ts";
import { deleteTemplate } from "../api/template/delete-template.ts";
import { getTemplate } from "../api/template/get-template.ts";
import { listTemplateChanges } from "../api/template/list-template-changes.ts";
import { queryTemplates } from "../api/template/query-templates.ts";
import { listWorkers } from "../api/worker/list-workers.ts";
import { applyCanvas } from "../api/workflow/apply-canvas.ts";
import { applyWorkflow } from "../api/workflow/apply-workflow.ts";
import { createWorkflow } from "../api/workflow/create-workflow.ts";
import { deleteWebhookSecret } from "../api/workflow/delete-webhook-secret.ts";
import { deleteWorkflow } from "../api/workflow/delete-workflow.ts";
import { duplicateWorkflow } from "../api/workflow/duplicate-workflow.ts";
import { exportWorkflow } from "../api/workflow/export-workflow.ts";
import { getCanvas } from "../api/workflow/get-canvas.ts";
import { getWebhookSecret } from "../api/workflow/get-webhook-secret.ts";
import { getWorkflow } from "../api/workflow/get-workflow.ts";
import { listAvailableParameters } from "../api/workflow/list-available-parameters.ts";
import { listWorkflowChanges } from "../api/workflow/list-workflow-changes.ts";
import { makeWebhookSecret } from "../api/workflow/make-webhook-secret.ts";
import { queryWorkflows } from "../api/workflow/query-workflows.ts";
import { submitWorkflow } from "../api/workflow/submit-workflow.ts";
import { testTrigger } from "../api/workflow/test-trigger.ts";
import { validateWorkflow } from "../api/workflow/validate-workflow.ts";

/** Every endpoint, one line each: what is not in this list does not exist. The names are the operation ids of the API document. */
const named: Readonly<Record<string, Endpoint>> = {
  // teams
  createTeam,
  queryTeams,
  listRoles,
  getDefaultQuotas,
  validateTeamName,
  getTeam,
  changeTeam,
  deleteTeam,
  deleteMembers,
  deleteApprovers,
  deleteTeamParameter,
  leaveTeam,
  resetQuotas,
  // users
  queryUsers,
  getUser,
  changeUser,
  deleteUser,
  makePasswordCode,
  getProfile,
  changeProfile,
  // sign-in
  listSignInMethods: listMethods,
  signInWithPassword,
  signInWithToken,
  getCaller,
  changePassword,
  resetPassword,
  startOidc,
  finishOidc,
  signOut,
  listSessions,
  endSession,
  // tokens
  createToken,
  queryTokens,
  deleteToken,
  // workflows
  createWorkflow,
  applyWorkflow,
  validateWorkflow,
  queryWorkflows,
  getWorkflow,
  deleteWorkflow,
  getWorkflowCanvas: getCanvas,
  applyWorkflowCanvas: applyCanvas,
  duplicateWorkflow,
  exportWorkflow,
  getWebhookSecret,
  makeWebhookSecret,
  deleteWebhookSecret,
  listAvailableParameters,
  listWorkflowChanges,
  submitWorkflow,
  testTrigger,
  // runs
  queryRuns,
  countRuns,
  getRun,
  queryRunFollowUps: queryFollowUps,
  startRun,
  cancelRun,
  changeRun,
  finalizeRun,
  retryRun,
  rerunRun,
  watchTeamChanges,
  // insights
  getTeamInsights,
  getInstanceInsights,
  // task runs
  queryTaskRuns,
  getTaskRun,
  getTaskRunLog: getLog,
  searchTaskRunLog: searchLog,
  // actions
  decideActions,
  queryActions,
  summarizeActions,
  getAction,
  // schedules
  createSchedule,
  applySchedule,
  querySchedules,
  listScheduleCalendars: listCalendars,
  getSchedule,
  deleteSchedule,
  queryScheduleFirings: queryFirings,
  submitSchedule,
  backfillSchedule,
  validateCron,
  // events
  postCallback,
  getCallback,
  receiveEvent,
  receiveWebhook,
  // events out
  queryTeamSubscriptions: querySubscriptions.team,
  createTeamSubscription: createSubscription.team,
  getTeamSubscription: getSubscription.team,
  changeTeamSubscription: changeSubscription.team,
  replaceTeamSubscription: replaceSubscription.team,
  deleteTeamSubscription: deleteSubscription.team,
  rotateTeamSubscriptionSecret: rotateSecret.team,
  testTeamSubscription: testSubscription.team,
  queryTeamDeliveries: queryDeliveries.team,
  replayTeamDelivery: replayDelivery.team,
  replayTeamDeadDeliveries: replayDeadDeliveries.team,
  // events out, of the instance
  querySubscriptions: querySubscriptions.instance,
  createSubscription: createSubscription.instance,
  getSubscription: getSubscription.instance,
  changeSubscription: changeSubscription.instance,
  replaceSubscription: replaceSubscription.instance,
  deleteSubscription: deleteSubscription.instance,
  rotateSubscriptionSecret: rotateSecret.instance,
  testSubscription: testSubscription.instance,
  queryDeliveries: queryDeliveries.instance,
  replayDelivery: replayDelivery.instance,
  replayDeadDeliveries: replayDeadDeliveries.instance,
  // integrations
  listIntegrations,
  getCodehostInstallation: getInstallation,
  linkCodehostInstallation: linkInstallation,
  unlinkCodehostInstallation: unlinkInstallation,
  beginChatInstall,
  finishChatInstall,
  receiveChatCommand,
  receiveChatEvent,
  receiveChatInteraction,
  linkChatWorkspace,
  unlinkChatWorkspace,
  listChatWorkspaces,
  // team tasks
  createTeamTask,
  applyTeamTask,
  queryTeamTasks,
  getTeamTask,
  deleteTeamTask,
  tryTask,
  listTeamTaskChanges,
  validateTeamTask,
  // global tasks
  createGlobalTask,
  applyGlobalTask,
  queryGlobalTasks,
  getGlobalTask,
  listGlobalTaskChanges,
  validateGlobalTask,
  // workflow templates
  createWorkflowTemplate: createTemplate,
  applyWorkflowTemplate: applyTemplate,
  queryWorkflowTemplates: queryTemplates,
  getWorkflowTemplate: getTemplate,
  deleteWorkflowTemplate: deleteTemplate,
  listWorkflowTemplateChanges: listTemplateChanges,
  // audit
  queryTeamAudit,
  getTeamAuditEntry,
  queryAudit,
  queryFailedSignIns,
  getAuditEntry,
  // system
  activateInstance,
  listSettings,
  changeSettings,
  listWorkers,
  getHistory,
  getFeatures,
  getContext,
  listNavigation,
  getOverview,
  searchEverything,
  watchChanges,
  // global parameters
  createGlobalParameter: createParameter,
  replaceGlobalParameter: replaceParameter,
  listGlobalParameters: listParameters,
  deleteGlobalParameter: deleteParameter,
  // operation
  getHealth,
  getReady,
};

export const endpoints: readonly Endpoint[] = Object.entries(named).map(([operationId, endpoint]) => ({ ...endpoint, operationId }));
