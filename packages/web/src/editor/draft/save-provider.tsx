import { Anchor, Button, Group, Modal, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { ApiError } from "@millrace/client/api-error.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useBlocker } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { api, callWithTag } from "../../api/client.ts";
import { fetchFresh } from "../../api/fetch-fresh.ts";
import { actionQuery, touchedByVotes } from "../../api/queries/actions.ts";
import { type LoadedWorkflow, workflowDraftQuery } from "../../api/queries/workflow/workflow-draft.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/workflow/designer.ts";
import { ConflictDialog } from "./conflict-dialog.tsx";
import { bodyOf, type Draft, draftOf, isVersionedChange, sameJson } from "./draft.ts";
import { useDraft } from "./draft-context.ts";
import type { History } from "./history.ts";
import { useKeptDraft } from "./kept-draft.ts";
import { mergeDrafts } from "./merge-drafts.ts";
import { SaveContext, type SaveOptions, type Saving } from "./save-context.ts";

interface SaveProviderProps {
  /** The latest known version on the server. */
  newest: LoadedWorkflow;
  /** Sets the version that the draft is based on from now on. */
  onBase: (loaded: LoadedWorkflow) => void;
  children: ReactNode;
}

/**
 * Saves the draft on top of the version it was loaded from. If someone else saved first, both changes are merged. If both changed the same
 * thing in different ways, the conflict is shown before anything is written.
 */
export function SaveProvider({ newest, onBase, children }: SaveProviderProps) {
  const { team, workflow, loaded, history, dispatch, isDirty, pendingText, setPendingText, typed } = useDraft();
  const client = useQueryClient();
  const renew = useRenew();
  const [isComparing, compare] = useState(false);
  const [sentDraft, setSentDraft] = useState<{ draft: Draft; action: string }>();
  const { data: request } = useQuery({ ...actionQuery(team, sentDraft?.action ?? ""), enabled: sentDraft !== undefined });
  const query = workflowDraftQuery(team, workflow, 0);
  const saving = useMutation({
    mutationFn: async ({ message, over, members }: SaveOptions) => {
      const { baseline } = history;
      const present = members ? withMembers(baseline, history.present, members) : history.present;
      const send = async (base: LoadedWorkflow, draft: Draft, from: Draft) => {
        const options = { base, ...(message !== undefined && { message }) };
        try {
          return { ...(await sendDraft(team, { baseline: from, present: draft }, options)), sent: draft };
        } catch (error) {
          if (isProposed(error)) setSentDraft({ draft, action: actionOf(error) });
          throw error;
        }
      };
      const sendOnTop = (newest: LoadedWorkflow) => {
        const theirs = draftOf(newest.data);
        // Their changes are merged into the draft before it is saved. Otherwise the draft would appear to revert them.
        if (pendingText === undefined) {
          dispatch({ type: "rebase", onto: theirs });
          onBase(newest);
        }
        return send(newest, mergeDrafts(baseline, present, theirs).draft, theirs);
      };
      if (over) return sendOnTop(over);
      try {
        return await send(loaded, present, baseline);
      } catch (error) {
        if (!isOutrun(error)) throw error;
        const newest = await fetchFresh(client, query);
        if (mergeDrafts(baseline, present, draftOf(newest.data)).conflicts.length > 0) throw error;
        return sendOnTop(newest);
      }
    },
    onSuccess: ({ missingSecrets, sent, isNewVersion, ...saved }) => {
      client.setQueryData(query.queryKey, saved);
      onBase(saved);
      dispatch({ type: "saved", sent, draft: draftOf(saved.data) });
      compare(false);
      notifications.show({
        message: isNewVersion ? t("saveProvider.savedVersion", { version: String(saved.data.version) }) : t("saveProvider.saved"),
        color: "green",
      });
      if (missingSecrets)
        notifications.show({ message: t("saveProvider.enterTheseSecretsAgain", { missingSecrets }), color: "yellow", autoClose: false });
      void renew(["workflows", "workflow"], team);
    },
    onError: async (error) => {
      if (isProposed(error)) {
        // The service keeps the proposal. The designer keeps the draft too, so that it can be changed and sent again.
        notifications.show({
          message: t.rich("saveProvider.sentForApproval", {
            link: (chunks) => <Anchor href={paths.action(team, actionOf(error))}>{chunks}</Anchor>,
          }),
          color: "blue",
          autoClose: false,
        });
        void renew([...touchedByVotes], team);
        return;
      }
      if (!isOutrun(error)) return;
      await fetchFresh(client, query);
      compare(true);
    },
  });
  const newer = newest.etag === loaded.etag ? undefined : newest;
  const isTyping = [...typed.values()].some(({ isUnreadable }) => isUnreadable);
  const isShown = sentDraft !== undefined && pendingText === undefined && !isTyping && sameJson(sentDraft.draft, history.present);
  // Once the proposal was rejected or closed, the draft counts as unsaved again.
  const isSent = isShown && request?.status !== "rejected" && request?.status !== "cancelled";
  const discard = useKeptDraft(isDirty && !isSent);
  const value: Saving = {
    save: (options = {}) => saving.mutate(options, { onSuccess: ({ data }) => options.onSaved?.(data.version ?? 0) }),
    isSaving: saving.isPending,
    error: isOutrun(saving.error) || isProposed(saving.error) ? null : saving.error,
    forgetError: saving.reset,
    isSent,
    newer,
    isComparing: isComparing && newer !== undefined,
    compare,
    takeTheirs: () => {
      if (!newer) return;
      setPendingText(undefined);
      dispatch({ type: "load", draft: draftOf(newer.data) });
      onBase(newer);
      compare(false);
    },
  };
  return (
    <SaveContext value={value}>
      {children}
      <ConflictDialog />
      <LeaveGuard isOn={isDirty && !isSent} onLeave={discard} />
    </SaveContext>
  );
}

/** The first draft with these members of the second. */
function withMembers(draft: Draft, other: Draft, members: readonly string[]): Draft {
  const rest = Object.entries(draft).filter(([key]) => !members.includes(key));
  return Object.fromEntries([...rest, ...Object.entries(other).filter(([key]) => members.includes(key))]) as Draft;
}

/** Whether someone else has saved since the draft was loaded. */
function isOutrun(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412;
}

/** Whether the workflow is protected, so that the version was sent for approval. */
function isProposed(error: unknown): error is ApiError {
  return error instanceof ApiError && error.reason === "WORKFLOW_PROTECTED";
}

/** The id of the action that asks for the approval. */
function actionOf({ errors }: ApiError): string {
  return errors.find(({ path }) => path === "/action")?.message ?? "";
}

interface SendOptions {
  /** The version that the draft is written on top of. */
  base: LoadedWorkflow;
  message?: string;
}

interface SentDraft extends LoadedWorkflow {
  /** Secrets that were to be kept, but no longer exist. */
  missingSecrets: string | undefined;
  isNewVersion: boolean;
}

/** Saves the draft as a new version. If nothing that belongs to a version was changed, updates the current version instead. */
async function sendDraft(
  team: string,
  { present, baseline }: Pick<History, "present" | "baseline">,
  { base: { data, etag }, message }: SendOptions,
): Promise<SentDraft> {
  let missingSecrets: string | undefined;
  const isNewVersion = message !== undefined || isVersionedChange(present, baseline);
  const changelog = isNewVersion ? message && { reason: message } : data.changelog;
  const saved = await callWithTag(
    api
      .PUT("/api/v2/team/{team}/workflow", {
        params: { path: { team }, query: { replace: !isNewVersion }, ...(etag !== undefined && { header: { "If-Match": etag } }) },
        body: { ...bodyOf(present, baseline), ...(changelog && { changelog }) },
      })
      .then((answer) => {
        missingSecrets = answer.response.headers.get("x-missing-secrets") ?? undefined;
        return answer;
      }),
  );
  return { ...saved, missingSecrets, isNewVersion };
}

/** An old version is shown on its own, without the draft. */
function isOldVersion(search: unknown): boolean {
  return Number((search as { version?: unknown }).version) > 0;
}

function isWithin(path: string, home: string): boolean {
  return `${path}/`.startsWith(home.endsWith("/") ? home : `${home}/`);
}

/**
 * Asks for confirmation before changes are lost: when another page is opened, and when the page is closed. The views of one workflow share
 * the draft, so moving between them needs no question.
 */
function LeaveGuard({ isOn, onLeave }: { isOn: boolean; onLeave: () => void }) {
  const { team, workflow } = useDraft();
  const home = paths.workflow(team, workflow, "");
  const { proceed, reset, status } = useBlocker({
    shouldBlockFn: ({ next }) => isOn && !(isWithin(next.pathname, home) && !isOldVersion(next.search)),
    enableBeforeUnload: () => isOn,
    disabled: !isOn,
    withResolver: true,
  });
  return (
    <Modal
      closeButtonProps={{ "aria-label": t("leaveGuard.close") }}
      opened={status === "blocked"}
      onClose={() => reset?.()}
      title={t("leaveGuard.leaveWithoutSaving")}
      centered
    >
      <Text>{t("leaveGuard.workflowHasUnsavedChanges")}</Text>
      <Group justify="flex-end" gap="xs" mt="md">
        <Button
          variant="default"
          onClick={() => {
            onLeave();
            proceed?.();
          }}
        >
          {t("leaveGuard.discardLeave")}
        </Button>
        <Button onClick={() => reset?.()} data-autofocus>
          {t("leaveGuard.keepEditing")}
        </Button>
      </Group>
    </Modal>
  );
}
