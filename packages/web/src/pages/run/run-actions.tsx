import { ActionIcon, Menu, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { isRunOver, runCan } from "@millrace/contract/run/run-rules.ts";
import { IconDots } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, useEffect, useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { api, call } from "../../api/client.ts";
import type { Run } from "../../api/queries/run/runs.ts";
import { makeTestOfRun } from "../../api/queries/workflow/workflow-tests.ts";
import { workflowQuery } from "../../api/queries/workflow/workflows.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useApiMutation } from "../../hooks/use-renew.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/run/run.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ActionItem } from "../../ui/dialog/action-item.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { LateOverlay } from "../../ui/dialog/late-overlay.tsx";
import { useRunView } from "./run-context.tsx";

const RerunDialog = lazy(() => import("./rerun/rerun-dialog.tsx").then((module) => ({ default: module.RerunDialog })));
const RunDialog = lazy(() => import("../../components/run-form/run-dialog.tsx").then((module) => ({ default: module.RunDialog })));

type Action = "start" | "cancel" | "retry" | "rerun" | "finalize" | "keep" | "unkeep";

/** Sends the request. If it creates a run, that run is opened; all other effects show on the page. */
export function useAction(team: string, run: Run) {
  const navigate = useNavigate();
  const action = useApiMutation({
    changes: ["run", "runs", "run-counts", "task-runs", "actions"],
    team,
    leadsAway: true,
    mutationFn: (action: Action) => ask(action, { path: { team, runId: run.id } }),
    onSuccess: async (answer, action) => {
      if (action !== "retry" && action !== "rerun") return;
      notifications.show({
        message: action === "retry" ? t("runActions.startedNewRunBeginning") : t("runActions.startedNewRunReuses"),
      });
      await navigate({ to: paths.run(team, answer.id) });
    },
  });
  const { reset } = action;
  const state = `${run.id} ${run.phase} ${run.status}`;
  // An error from one state says nothing about the next one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the error belongs to that state
  useEffect(reset, [state]);
  return action;
}

function ask(action: Action, params: { path: { team: string; runId: string } }): Promise<Run> {
  const at = "/api/v2/team/{team}/workflowrun/{runId}" as const;
  switch (action) {
    case "start":
      return call(api.PUT(`${at}/start`, { params, body: {} }));
    case "cancel":
      return call(api.DELETE(`${at}/cancel`, { params }));
    case "finalize":
      return call(api.PUT(`${at}/finalize`, { params }));
    case "keep":
      return call(api.PATCH(at, { params, body: { labels: { keep: "true" } } }));
    case "unkeep":
      return call(api.PATCH(at, { params, body: { labels: { keep: null } } }));
    case "retry":
      return call(api.PUT(`${at}/retry`, { params: { ...params, query: { start: false } } }));
    case "rerun":
      return call(api.PUT(`${at}/rerun`, { params: { ...params, query: { start: false } } }));
  }
}

/**
 * The actions for the run; all ways to run it again are here. @param action from `useAction`; the component that shows the buttons also
 * shows its error
 */
export function RunActions({ action }: { action: ReturnType<typeof useAction> }) {
  const { team, run } = useRunView();
  const rights = useRights(team);
  const [asking, setAsking] = useState<"cancel" | "finalize" | "again">();
  const whyNot = rights.whyNot("workflowrun/action");
  const whyNotTrial = whyNotAgain(run);
  const close = () => setAsking(undefined);
  return (
    <>
      <MoreMenu
        whyNot={whyNot}
        onFinalize={() => setAsking("finalize")}
        onKeep={(isWanted) => action.mutate(isWanted ? "keep" : "unkeep")}
      />
      {runCan.start(run) && (
        <ActionButton size="xs" variant="default" whyNot={whyNot} loading={action.isPending} onClick={() => action.mutate("start")}>
          {t("runActions.startNow")}
        </ActionButton>
      )}
      {runCan.cancel(run) ? (
        <ActionButton size="xs" variant="default" whyNot={whyNot} onClick={() => setAsking("cancel")}>
          {t("runActions.cancel")}
        </ActionButton>
      ) : (
        <AgainButtons
          run={run}
          whyNot={whyNotTrial ?? whyNot}
          whyNotSubmit={whyNotTrial ?? rights.whyNot("workflow/action")}
          action={action}
          onAgain={() => setAsking("again")}
        />
      )}
      <CancelDialog isOpen={asking === "cancel"} onClose={close} onConfirm={() => action.mutateAsync("cancel")} />
      <FinalizeDialog isOpen={asking === "finalize"} onClose={close} onConfirm={() => action.mutateAsync("finalize")} />
      {asking === "again" && (
        <LateOverlay onClose={close}>
          <RunDialog
            team={team}
            workflow={run.workflowRef}
            onClose={close}
            initialParams={valuesOf(run)}
            title={t("runActions.runAgainParameters")}
          />
        </LateOverlay>
      )}
    </>
  );
}

interface AgainButtonsProps {
  run: Run;
  whyNot: string | undefined;
  whyNotSubmit: string | undefined;
  action: ReturnType<typeof useAction>;
  onAgain: () => void;
}

/**
 * The main button of a failed run reruns the failed tasks; of a successful one, it retries the run. If the workflow has been saved since,
 * perhaps with a fix, a dialog asks for the version and shows what would be reused.
 */
function AgainButtons({ run, whyNot, whyNotSubmit, action, onAgain }: AgainButtonsProps) {
  const { team } = useRunView();
  const canRerun = runCan.rerunFailed(run);
  const { data } = useQuery({ ...workflowQuery(team, run.workflowRef), enabled: canRerun && !run.trial });
  const latest = data?.data.version ?? run.workflowVersion;
  const isOlder = latest > run.workflowVersion;
  // The designer links here with the version it has just saved, which the page may not have loaded yet.
  const [{ rerun }, setAddress] = useSearchState({ rerun: 0 });
  const isAsking = canRerun && whyNot === undefined && Number.isInteger(rerun) && rerun > 0;
  return (
    <>
      <ActionButton size="xs" variant="default" whyNot={whyNotSubmit} onClick={onAgain}>
        {t("runActions.runChanges")}
      </ActionButton>
      <ActionButton
        size="xs"
        variant={canRerun ? "default" : "filled"}
        whyNot={whyNot}
        loading={action.isPending && action.variables === "retry"}
        onClick={() => action.mutate("retry")}
      >
        {t("runActions.runAgain")}
      </ActionButton>
      {canRerun && (
        <ActionButton
          size="xs"
          whyNot={whyNot}
          loading={action.isPending && action.variables === "rerun"}
          onClick={() => (isOlder ? setAddress({ rerun: latest }) : action.mutate("rerun"))}
        >
          {isOlder ? t("runActions.rerunFailedAsking") : t("runActions.rerunFailed")}
        </ActionButton>
      )}
      {isAsking && (
        <LateOverlay onClose={() => setAddress({ rerun: 0 })}>
          <RerunDialog from={undefined} version={rerun} onClose={() => setAddress({ rerun: 0 })} />
        </LateOverlay>
      )}
    </>
  );
}

interface MoreMenuProps {
  whyNot: string | undefined;
  onFinalize: () => void;
  onKeep: (isWanted: boolean) => void;
}

function MoreMenu({ whyNot, onFinalize, onKeep }: MoreMenuProps) {
  const { run } = useRunView();
  const [, setAddress] = useSearchState({ view: "graph" });
  const isKept = isKeptForever(run);
  const why =
    whyNot ??
    (runCan.finalize(run) ? undefined : isRunOver(run) ? t("runActions.workspacesAlreadyReleased") : t("runActions.runHasNotEnded"));
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label={t("runActions.moreActions")}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <ActionItem onClick={() => setAddress({ view: "compare" }, { replace: false })}>{t("runActions.compareWith")}</ActionItem>
        <MakeTestItem />
        <ActionItem whyNot={whyNot} onClick={() => onKeep(!isKept)}>
          {isKept ? t("runActions.stopKeepingRun") : t("runActions.keepRun")}
          <Text size="xs" className="quiet">
            {whyNot ?? (isKept ? t("runActions.runDeletedWhenRetention") : t("runActions.runExemptRetention"))}
          </Text>
        </ActionItem>
        <ActionItem whyNot={why} onClick={onFinalize}>
          {t.rich("runActions.releaseWorkspaces", {
            text: () => (
              <Text size="xs" className="quiet">
                {why ?? t("runActions.permanentlyDeletesTheirFiles")}
              </Text>
            ),
          })}
        </ActionItem>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Turns the results of the run into mocks, and its path into the expected path. */
function MakeTestItem() {
  const { team, run } = useRunView();
  const navigate = useNavigate();
  const whyNotWrite = useRights(team).whyNot("workflow/write");
  const make = useApiMutation({
    changes: ["workflow"],
    team,
    mutationFn: () => makeTestOfRun(team, run.id),
    toast: ({ name }) => t("runActions.testCreated", { name }),
    onSuccess: ({ name, workflow }) => navigate({ to: paths.workflow(team, workflow ?? "", "tests"), search: { test: name } }),
    onError: (error) =>
      notifications.show({ color: "red", title: t("runActions.couldntMakeTest"), message: messageOf(error), autoClose: 10_000 }),
  });
  const whyNot = whyNotWrite ?? whyNotAgain(run) ?? (isRunOver(run) ? undefined : t("runActions.runHasNotEnded"));
  return (
    <ActionItem whyNot={whyNot} onClick={() => make.mutate()}>
      {t("runActions.makeTest")}
      <Text size="xs" className="quiet">
        {whyNot ?? t("runActions.makeTestHelp")}
      </Text>
    </ActionItem>
  );
}

/** Trials and nested runs can't be run again on their own. */
function whyNotAgain({ trial, nested }: Run): string | undefined {
  if (nested) return t("runActions.nestedIsRerunWithParent");
  return trial ? t("runActions.trialRunsOnce") : undefined;
}

/** Set by the label `keep` with any value except false (docs/history.md). */
export function isKeptForever({ labels }: Run): boolean {
  return labels["keep"] !== undefined && labels["keep"] !== "false";
}

/** The values of secrets aren't visible, so secrets are left out. */
function valuesOf(run: Run): Record<string, unknown> {
  return Object.fromEntries(run.params.filter(({ hiddenValue }) => hiddenValue !== true).map(({ name, value }) => [name, value]));
}

interface AskProps {
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => Promise<unknown>;
}

/** Asks for confirmation before a run is cancelled. */
function CancelDialog(props: AskProps) {
  return (
    <ConfirmDialog
      {...props}
      title={t("runDialogs.cancelRun")}
      action={t("runDialogs.cancelRunAction")}
      dismiss={t("runDialogs.keepRunning")}
      isDangerous
    >
      {t("runDialogs.runningTasksStoppedOpen")}
    </ConfirmDialog>
  );
}

/** Asks for confirmation before the workspaces of a run, with their files, are deleted. */
function FinalizeDialog(props: AskProps) {
  return (
    <ConfirmDialog {...props} title={t("runDialogs.releaseWorkspacesRun")} action={t("runDialogs.releaseWorkspaces")} isDangerous>
      {t("runDialogs.permanentlyDeletesAllFiles")}
    </ConfirmDialog>
  );
}
