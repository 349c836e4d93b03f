import { countOpenActions, decideActions, getAction, queryActions, summarizeActions } from "../api/action/actions.ts";
import { queryDecisions, verifyDecisions } from "../api/action/decisions.ts";
import { commentOnAction, delegateAction } from "../api/action/discuss-actions.ts";
import { applyToInstance, applyToTeam } from "../api/apply/apply-documents.ts";
import { getAuditEntry, getTeamAuditEntry, queryAudit, queryFailedSignIns, queryTeamAudit } from "../api/audit/audit-entries.ts";
import { watchChanges, watchTeamChanges } from "../api/change/watch-changes.ts";
import type { Endpoint } from "../api/endpoint.ts";
import {
  addExternalLogLines,
  claimExternalTasks,
  completeExternalTasks,
  leaveExternalWorker,
  sendExternalHeartbeat,
} from "../api/external/external-work.ts";
import { listExternalWorkers } from "../api/external/list-external-workers.ts";
import { getMetrics } from "../api/health/get-metrics.ts";
import { getHealth, getReady } from "../api/health/health.ts";
import { getHistory } from "../api/history/get-history.ts";
import { activateInstance } from "../api/identity/activate-instance.ts";
import { createInvitation, getInvitationRules, queryInvitations, renewInvitation, revokeInvitation } from "../api/identity/invitations.ts";
import { changeProfile, getProfile } from "../api/identity/profile.ts";
import { beginDeviceSignIn, decideDeviceSignIn, fetchDeviceToken, findDeviceSignIn } from "../api/identity/sign-in/device-sign-in.ts";
import { acceptInvitation, readInvitation } from "../api/identity/sign-in/invited.ts";
import { finishOidc, startOidc } from "../api/identity/sign-in/oidc-sign-in.ts";
import { changePassword, resetPassword, signInWithPassword } from "../api/identity/sign-in/passwords.ts";
import { endSession, listSessions, signOut } from "../api/identity/sign-in/sessions.ts";
import { getCaller, listMethods, signInWithToken } from "../api/identity/sign-in/sign-in.ts";
import { createToken, deleteToken, queryTokens } from "../api/identity/tokens.ts";
import { changeUser, deleteUser, getUser, makePasswordCode, queryUsers } from "../api/identity/users.ts";
import { getCallback, postCallback } from "../api/inbound/callbacks.ts";
import { receiveEvent } from "../api/inbound/receive-event.ts";
import { receiveWebhook } from "../api/inbound/receive-webhook.ts";
import { beginChatInstall, finishChatInstall } from "../api/integration/chat-install.ts";
import { linkChatWorkspace, listChatWorkspaces, unlinkChatWorkspace } from "../api/integration/chat-workspaces.ts";
import { getInstallation, linkInstallation, unlinkInstallation } from "../api/integration/installations.ts";
import { listIntegrations } from "../api/integration/list-integrations.ts";
import { receiveChatCommand, receiveChatEvent, receiveChatInteraction } from "../api/integration/receive-chat.ts";
import { getLog, searchLog } from "../api/log/logs.ts";
import { searchRunLogs } from "../api/log/search-run-logs.ts";
import { getContext } from "../api/navigation/get-context.ts";
import { getOverview } from "../api/navigation/get-overview.ts";
import { listNavigation } from "../api/navigation/list-navigation.ts";
import { searchEverything } from "../api/navigation/search-everything.ts";
import { queryDeliveries, replayDeadDeliveries, replayDelivery } from "../api/outbound/deliveries.ts";
import {
  changeSubscription,
  createSubscription,
  deleteSubscription,
  getSubscription,
  querySubscriptions,
  replaceSubscription,
  rotateSecret,
  testSubscription,
} from "../api/outbound/subscriptions.ts";
import {
  getGlobalSecretProtection,
  listProtectedGlobalSecrets,
  protectGlobalSecret,
  unprotectGlobalSecret,
} from "../api/parameter/parameter-protection.ts";
import { createParameter, deleteParameter, listParameters, replaceParameter } from "../api/parameter/parameters.ts";
import { cancelBulkAction, getBulkAction, listBulkActions, listBulkRuns, planBulkAction, requestBulkAction } from "../api/run/bulk-runs.ts";
import { cancelRun, changeRun, finalizeRun, startRun } from "../api/run/change-run.ts";
import { getRun, queryFollowUps } from "../api/run/get-run.ts";
import { getForecast } from "../api/run/insights/get-forecast.ts";
import { getInstanceInsights, getTeamInsights } from "../api/run/insights/get-insights.ts";
import { getRunTimes, getTeamTimes } from "../api/run/insights/get-times.ts";
import { countRuns, queryRuns } from "../api/run/query-runs.ts";
import { listReruns, markSucceeded, planMark, planRerun, replayRun } from "../api/run/replay-run.ts";
import { rerunRun, retryRun } from "../api/run/rerun-run.ts";
import { acknowledgeRun, addRunComment, deleteRunComment, listRunComments, releaseRun } from "../api/run/run-comments.ts";
import { getRunExpectation } from "../api/run/run-expectation.ts";
import { searchRunsEverywhere } from "../api/run/run-search.ts";
import { addRunView, changeRunView, deleteRunView, listRunViews, removeDefaultRunView, setDefaultRunView } from "../api/run/run-views.ts";
import { getTaskRun, queryTaskRuns } from "../api/run/task-runs.ts";
import { makeTestOfRun } from "../api/run/test-of-run.ts";
import { backfillSchedule, queryFirings, submitSchedule } from "../api/schedule/firings.ts";
import { listCalendars } from "../api/schedule/list-calendars.ts";
import { applySchedule, createSchedule, deleteSchedule, getSchedule, querySchedules } from "../api/schedule/schedules.ts";
import { validateCron } from "../api/schedule/validate-cron.ts";
import { getFeatures } from "../api/settings/get-features.ts";
import { getSchema } from "../api/settings/get-schema.ts";
import { changeSettings, listSettings } from "../api/settings/settings.ts";
import { dismissSetup, getSetup } from "../api/settings/setup.ts";
import { testMail } from "../api/settings/test-mail.ts";
import { applyGlobalTask, applyTeamTask, createGlobalTask, createTeamTask, deleteTeamTask } from "../api/task/change-tasks.ts";
import { getGlobalTask, getTeamTask, listGlobalTaskChanges, listTeamTaskChanges } from "../api/task/get-task.ts";
import { queryGlobalTasks, queryTeamTasks } from "../api/task/query-tasks.ts";
import { tryTask } from "../api/task/try-task.ts";
import { validateGlobalTask, validateTeamTask } from "../api/task/validate-task.ts";
import {
  getSecretProtection,
  getTeamProtection,
  protectSecret,
  protectTeam,
  unprotectSecret,
  unprotectTeam,
} from "../api/team/protection.ts";
import { deleteApprovers, deleteMembers, leaveTeam, listRoles, queryMembers } from "../api/team/team-members.ts";
import { getDefaultQuotas, resetQuotas } from "../api/team/team-quotas.ts";
import { changeTeam, createTeam, deleteTeam, deleteTeamParameter, getTeam, queryTeams, validateTeamName } from "../api/team/teams.ts";
import {
  applyTemplate,
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplateChanges,
  queryTemplates,
} from "../api/template/templates.ts";
import { listWorkers } from "../api/worker/list-workers.ts";
import { applyCanvas, getCanvas } from "../api/workflow/canvas.ts";
import { endEditing, keepEditing } from "../api/workflow/editing.ts";
import { getWorkflowOverview } from "../api/workflow/get-workflow-overview.ts";
import { addFavourite, archiveWorkflow, removeFavourite, restoreWorkflow } from "../api/workflow/keep-workflow.ts";
import { listWorkflowLabels } from "../api/workflow/list-workflow-labels.ts";
import {
  getWorkflowProposal,
  getWorkflowProtection,
  listWorkflowProposals,
  protectWorkflow,
  unprotectWorkflow,
  withdrawWorkflowProposal,
} from "../api/workflow/protection.ts";
import { queryWorkflows } from "../api/workflow/query-workflows.ts";
import { exportWorkflow, getWorkflow, listAvailableParameters, listWorkflowChanges } from "../api/workflow/read-workflows.ts";
import { applyWorkflow, createWorkflow, deleteWorkflow, duplicateWorkflow } from "../api/workflow/save-workflows.ts";
import { submitWorkflow } from "../api/workflow/submit-workflow.ts";
import { testTrigger } from "../api/workflow/test-trigger.ts";
import { previewWorkflow } from "../api/workflow/trial/preview-workflow.ts";
import { tryWorkflow } from "../api/workflow/trial/try-workflow.ts";
import {
  deleteWorkflowTest,
  getWorkflowTest,
  listWorkflowTests,
  runWorkflowTests,
  saveWorkflowTest,
} from "../api/workflow/trial/workflow-tests.ts";
import { validateWorkflow } from "../api/workflow/validate-workflow.ts";
import { deleteWebhookSecret, getWebhookSecret, makeWebhookSecret } from "../api/workflow/webhook-secret.ts";

/** Every endpoint, one line each. An endpoint that is missing here does not exist. The names are the operation ids of the API document. */
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
  queryMembers,
  deleteMembers,
  deleteApprovers,
  deleteTeamParameter,
  leaveTeam,
  createInvitation,
  queryInvitations,
  getInvitationRules,
  renewInvitation,
  revokeInvitation,
  resetQuotas,
  // users
  queryUsers,
  getUser,
  changeUser,
  deleteUser,
  makePasswordCode,
  getProfile,
  changeProfile,
  // external workers
  claimExternalTasks,
  sendExternalHeartbeat,
  addExternalLogLines,
  completeExternalTasks,
  leaveExternalWorker,
  listExternalWorkers,
  // sign-in
  listSignInMethods: listMethods,
  signInWithPassword,
  signInWithToken,
  getCaller,
  changePassword,
  resetPassword,
  readInvitation,
  acceptInvitation,
  startOidc,
  finishOidc,
  signOut,
  listSessions,
  endSession,
  beginDeviceSignIn,
  fetchDeviceToken,
  findDeviceSignIn,
  decideDeviceSignIn,
  // tokens
  createToken,
  queryTokens,
  deleteToken,
  // workflows
  createWorkflow,
  applyWorkflow,
  validateWorkflow,
  queryWorkflows,
  listWorkflowLabels,
  getWorkflow,
  getWorkflowOverview,
  archiveWorkflow,
  restoreWorkflow,
  addFavourite,
  removeFavourite,
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
  tryWorkflow,
  previewWorkflow,
  keepEditing,
  endEditing,
  testTrigger,
  listWorkflowTests,
  getWorkflowTest,
  saveWorkflowTest,
  deleteWorkflowTest,
  runWorkflowTests,
  makeTestOfRun,
  // runs
  queryRuns,
  searchRunLogs,
  listRunViews,
  addRunView,
  changeRunView,
  deleteRunView,
  setDefaultRunView,
  removeDefaultRunView,
  requestBulkAction,
  planBulkAction,
  listBulkActions,
  getBulkAction,
  listBulkRuns,
  cancelBulkAction,
  listRunComments,
  addRunComment,
  deleteRunComment,
  acknowledgeRun,
  releaseRun,
  countRuns,
  getRun,
  queryRunFollowUps: queryFollowUps,
  startRun,
  cancelRun,
  changeRun,
  finalizeRun,
  retryRun,
  rerunRun,
  planRerun,
  replayRun,
  listReruns,
  planMark,
  markSucceeded,
  watchTeamChanges,
  // insights
  getTeamInsights,
  getTeamTimes,
  getForecast,
  getRunTimes,
  getRunExpectation,
  getInstanceInsights,
  // task runs
  queryTaskRuns,
  getTaskRun,
  getTaskRunLog: getLog,
  searchTaskRunLog: searchLog,
  // actions
  getWorkflowProtection,
  protectWorkflow,
  unprotectWorkflow,
  listWorkflowProposals,
  getWorkflowProposal,
  withdrawWorkflowProposal,
  getTeamProtection,
  protectTeam,
  unprotectTeam,
  getSecretProtection,
  protectSecret,
  unprotectSecret,
  decideActions,
  queryDecisions,
  verifyDecisions,
  queryActions,
  summarizeActions,
  countOpenActions,
  getAction,
  commentOnAction,
  delegateAction,
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
  // outgoing events
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
  // outgoing events, of the instance
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
  // sets of documents
  applyToTeam,
  applyToInstance,
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
  testMail,
  getSetup,
  dismissSetup,
  listWorkers,
  getHistory,
  getFeatures,
  getSchema,
  getContext,
  listNavigation,
  getOverview,
  searchEverything,
  searchRunsEverywhere,
  watchChanges,
  // global parameters
  createGlobalParameter: createParameter,
  replaceGlobalParameter: replaceParameter,
  listGlobalParameters: listParameters,
  deleteGlobalParameter: deleteParameter,
  listProtectedGlobalSecrets,
  getGlobalSecretProtection,
  protectGlobalSecret,
  unprotectGlobalSecret,
  // operation
  getHealth,
  getMetrics,
  getReady,
};

export const endpoints: readonly Endpoint[] = Object.entries(named).map(([operationId, endpoint]) => ({ ...endpoint, operationId }));
