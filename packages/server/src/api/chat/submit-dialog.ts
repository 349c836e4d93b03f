import type { RunParam } from "@millrace/contract/common.ts";
import { AppError } from "../../base/error/app-error.ts";
import { membersOf } from "../../base/text/json-text.ts";
import { clipChatText, escapeChatText, runLink } from "../../core/chat/chat-text.ts";
import { dialogErrors, readDialog } from "../../core/chat/run-dialog.ts";
import { answerOnce, claimDeliveries, type DeliveryKey } from "../../domain/inbound/answer-once.ts";
import { type OpenChatWorkspace, requireChatWorkspace } from "../../domain/integration/chat-workspaces.ts";
import type { IntegrationSettings } from "../../domain/integration/integration-settings.ts";
import type { RecordedRun } from "../../domain/run/record-run.ts";
import { publishSubmitted } from "../../domain/run/report-changes.ts";
import { submitRun } from "../../domain/run/submit-run.ts";
import { callChat } from "../../integrations/chat/chat-client.ts";
import type { Database, Transaction } from "../../store/database/database.ts";
import { transaction } from "../../store/database/transaction.ts";
import { findSubmission } from "../../store/run/submissions.ts";
import type { Context } from "../endpoint.ts";
import { auditAs, confirmChatUser, failureText, findChatCaller } from "./chat-caller.ts";
import { findChatWorkflow } from "./find-chat-workflow.ts";
import type { ChatInteraction } from "./read-interaction.ts";

export type InteractionContext = Pick<
  Context<unknown, unknown, string, Database>,
  "db" | "keyring" | "services" | "auditRecord" | "afterCommit"
>;

interface Started {
  runId: string;
  teamName: string;
  workflowName: string;
}

/** The response to a dialog: the platform closes it, shows errors in it, or replaces it with another one. */
export type DialogAnswer = Record<string, unknown>;

/** For the call that the response has to wait for. The platform waits for three seconds. */
const hurried = { timeoutMs: 2000 };

/**
 * Starts the run that someone has filled in the dialog for: durably, before the dialog is answered. The dialog only says which workflow is
 * meant; rights, trigger and parameters are examined now. The same dialog sent again is answered again and starts nothing more.
 */
export async function submitDialog(
  context: InteractionContext,
  settings: IntegrationSettings,
  interaction: ChatInteraction,
): Promise<DialogAnswer> {
  const given: RunParam[] = [];
  try {
    const workspace = await requireChatWorkspace(
      { db: context.db, keyring: context.keyring, settings, fetch: context.services.platformFetch },
      interaction.workspaceRef,
    );
    const email = await confirmChatUser(context.db, workspace, interaction.userRef, hurried);
    const { started, run } = await transaction(context.db, (tx) => startOnce(tx, context, { workspace, email, interaction, given }));
    if (run) publishLater(context, run, { workspace, userRef: interaction.userRef, started });
    return { response_action: "update", view: notice("Started", startedText(context.services.runs.publicUrl, started)) };
  } catch (error) {
    const text = failureText(error);
    if (text === undefined) throw error;
    return faultAnswer(error, text, given, Object.keys(membersOf(interaction.view.values)));
  }
}

interface Submission {
  workspace: OpenChatWorkspace;
  email: string;
  interaction: ChatInteraction;
  /** Filled with what was read from the dialog. */
  given: RunParam[];
}

/** The run, only if it was started just now. */
async function startOnce(
  tx: Transaction,
  context: InteractionContext,
  submission: Submission,
): Promise<{ started: Started; run: RecordedRun | undefined }> {
  const { workspace, interaction } = submission;
  const key: DeliveryKey = {
    scope: `chat/${workspace.id}`,
    path: "/api/v2/integration/chat/interactivity",
    identity: [interaction.userRef, interaction.view.id],
  };
  let run: RecordedRun | undefined;
  const started = await answerOnce(tx, await claimDeliveries(tx, [key]), key, async () => {
    const result = await start(tx, context, submission);
    run = result.run;
    return result.started;
  });
  return { started, run };
}

async function start(
  tx: Transaction,
  { services, auditRecord }: InteractionContext,
  { workspace, email, interaction, given }: Submission,
): Promise<{ started: Started; run: RecordedRun }> {
  const caller = await findChatCaller(tx, workspace, email);
  const { principal } = caller;
  const { id: workflowId, teamId, teamName, name } = await findChatWorkflow(tx, caller, interaction.view.metadata, "workflow/action");
  const declared = (await findSubmission(tx, { teamId, ref: workflowId, version: undefined }))?.params ?? [];
  given.splice(0, given.length, ...readDialog(interaction.view.values, declared));
  const after = { via: "chat", workspace: workspace.ref };
  const record = (id: string) => auditRecord({ kind: "workflowrun", id, name, teamId, after });
  const run = await submitRun(tx, services.runs, {
    ...{ teamId, workflow: workflowId, start: false, isEvent: true, initiatedBy: principal.id },
    request: { trigger: "webhook", params: given },
    audit: (id) => auditAs(principal, "workflow/action", record(id)),
  });
  return { started: { runId: run.id, teamName, workflowName: name }, run };
}

/** Wakes an engine, and posts a message about the run that stays after the dialog is closed. */
function publishLater(
  { services, afterCommit }: InteractionContext,
  run: RecordedRun,
  { workspace, userRef, started }: { workspace: OpenChatWorkspace; userRef: string; started: Started },
): void {
  afterCommit(() => publishSubmitted(services, run));
  const message = { channel: userRef, text: startedText(services.runs.publicUrl, started), unfurl_links: false };
  const post = async (signal: AbortSignal) => {
    await callChat(workspace, "chat.postMessage", message, { patienceMs: 5000, signal });
  };
  afterCommit(() => void services.backgroundJobs?.run("chat run message", post));
}

function startedText(publicUrl: string, { runId, teamName, workflowName }: Started): string {
  return `${escapeChatText(workflowName)} was started: run ${runLink(publicUrl, teamName, runId)}`;
}

/** Faults of values are shown at their inputs, everything else at the first input; in a dialog without inputs they replace it. */
function faultAnswer(error: unknown, text: string, given: readonly RunParam[], blocks: readonly string[]): DialogAnswer {
  const details = error instanceof AppError ? (error.details ?? []) : [];
  const errors =
    dialogErrors(details, given, blocks) ?? (blocks.length > 0 && { [blocks[0]!]: clipChatText((error as Error).message, 2000) });
  return errors ? { response_action: "errors", errors } : { response_action: "update", view: notice("Not started", text) };
}

function notice(title: string, text: string) {
  return {
    type: "modal",
    title: { type: "plain_text", text: title },
    close: { type: "plain_text", text: "Close" },
    blocks: [{ type: "section", text: { type: "mrkdwn", text, verbatim: true } }],
  };
}
