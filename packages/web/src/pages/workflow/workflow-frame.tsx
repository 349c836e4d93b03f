import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { workflowDraftQuery } from "../../api/queries/workflow/workflow-draft.ts";
import { PageNotLoaded } from "../../components/missing/page-view.tsx";
import { useDraft } from "../../editor/draft/draft-context.ts";
import { DraftNotices, RestoredNotice } from "../../editor/draft/draft-notices.tsx";
import { DraftProvider } from "../../editor/draft/draft-provider.tsx";
import { Presence } from "../../editor/draft/presence.tsx";
import { useSaving } from "../../editor/draft/save-context.ts";
import { SaveControls } from "../../editor/draft/save-controls.tsx";
import { TrialBar } from "../../editor/trial/trial-bar.tsx";
import { useTrial } from "../../editor/trial/trial-context.ts";
import { TrialProvider } from "../../editor/trial/trial-provider.tsx";
import { useRights } from "../../hooks/use-caller.ts";
import { useParam, useTeam } from "../../hooks/use-team.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/workflow/workflows.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { LateOverlay } from "../../ui/dialog/late-overlay.tsx";
import { Tag, UnsavedTag } from "../../ui/mark/state-mark.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./workflow-frame.module.css";

const RunDialog = lazy(() => import("../../components/run-form/run-dialog.tsx").then((module) => ({ default: module.RunDialog })));

/** Loaded on demand, since few users come from a failed run. */
const RerunNotice = lazy(() => import("./rerun-notice.tsx").then((module) => ({ default: module.RerunNotice })));

const TrialDialog = lazy(() => import("../../editor/trial/trial-dialog.tsx").then((module) => ({ default: module.TrialDialog })));

const viewWords: Readonly<Record<string, string>> = {
  overview: t("workflowTabs.overview"),
  runs: t("workflowTabs.runs"),
  code: "Code",
  tests: t("workflowTabs.tests"),
  versions: t("workflowHeader.viewVersions"),
  configure: t("workflowHeader.viewConfigure"),
};

interface WorkflowHeaderProps {
  view: string;
  isEditor: boolean;
  isOldVersion: boolean;
}

/** Title and status of the workflow, with buttons to run it and to save the draft. */
function WorkflowHeader({ view, isEditor, isOldVersion }: WorkflowHeaderProps) {
  const { team, workflow, loaded, isDirty } = useDraft();
  const { isSent } = useSaving();
  const rights = useRights(team);
  const [isRunning, setRunning] = useState<"draft" | "saved">();
  const { whyNot: whyNotTry } = useTrial();
  const { displayName, name, status, version, changelog } = loaded.data;
  const whyNotRun = rights.whyNot("workflow/action") ?? (status === "active" ? undefined : t("workflowHeader.onlyActiveWorkflowsRun"));
  // Runs what is on the screen: unsaved changes run as a trial.
  const whyNot = isDirty ? whyNotTry : whyNotRun;
  return (
    <PageHeader
      title={displayName || name}
      tab={`${isDirty ? "• " : ""}${displayName || name} · ${viewWords[view] ?? "Design"}`}
      state={
        <>
          <Tag>{t.rich("workflowHeader.version", { version: () => version })}</Tag>
          {status !== "active" && <Tag>{t("workflowHeader.inactive")}</Tag>}
          {isDirty && (isSent ? <Tag tone="changed">{t("workflowHeader.sent")}</Tag> : <UnsavedTag />)}
        </>
      }
      detail={
        <>
          {displayName !== name && `${name} · `}
          {t.rich("workflowHeader.saved", { time: () => <TimeText at={changelog?.date} />, author: changelog?.author ?? "" })}
        </>
      }
    >
      {(isEditor || view === "configure" || isDirty) && <Presence />}
      <ActionButton size="xs" variant="default" whyNot={whyNot} onClick={() => setRunning(isDirty ? "draft" : "saved")}>
        {t("workflowHeader.run")}
      </ActionButton>
      {isEditor && !isOldVersion && <SaveControls />}
      {isRunning && (
        <LateOverlay onClose={() => setRunning(undefined)}>
          {isRunning === "draft" ? (
            <TrialDialog onClose={() => setRunning(undefined)} />
          ) : (
            <RunDialog team={team} workflow={workflow} onClose={() => setRunning(undefined)} />
          )}
        </LateOverlay>
      )}
    </PageHeader>
  );
}

/** What the pages of one workflow share: the title, the status, the tabs, and the draft that is edited as a graph and as text. */
export function WorkflowFrame() {
  const team = useTeam();
  const workflow = useParam("workflow");
  const { pathname, search } = useLocation();
  const rights = useRights(team);
  const view = pathname.split("/")[4] ?? "overview";
  const isEditor = view === "design" || view === "code";
  const version = isEditor ? Number(search.version) || 0 : 0;
  const query = useQuery(workflowDraftQuery(team, workflow, version));
  const { data } = query;
  if (data === undefined)
    return <PageNotLoaded query={query} label={t("workflowFrame.loadingWorkflow")} sought={{ kind: "workflow", name: workflow, team }} />;
  const whyNotEdit =
    version > 0 ? t("workflowFrame.viewingVersionRestoreUnder", { version: String(version) }) : rights.whyNot("workflow/write");
  return (
    <DraftProvider key={`${team}/${workflow}/${version}`} team={team} workflow={workflow} loaded={data} whyNotEdit={whyNotEdit}>
      <TrialProvider>
        <div className={classes.frame} data-editor={isEditor || undefined}>
          <WorkflowHeader view={view} isEditor={isEditor} isOldVersion={version > 0} />
          <WorkflowTabs team={team} workflow={workflow} view={view} />
          <RestoredNotice />
          {isEditor && <DraftNotices />}
          <Suspense>{isEditor && search.rerun !== undefined && <RerunNotice />}</Suspense>
          <TrialBar />
          <Outlet />
        </div>
      </TrialProvider>
    </DraftProvider>
  );
}

interface WorkflowTabsProps {
  team: string;
  workflow: string;
  view: string;
}

/** The views of one workflow. Each is a page of its own, so the tabs are links. */
function WorkflowTabs({ team, workflow, view }: WorkflowTabsProps) {
  const tabs = [
    ["overview", t("workflowTabs.overview"), paths.workflow(team, workflow)],
    ["runs", t("workflowTabs.runs"), paths.workflow(team, workflow, "runs")],
    ["design", t("workflowTabs.design"), paths.workflow(team, workflow, "design")],
    ["code", t("workflowTabs.code"), paths.workflow(team, workflow, "code")],
    ["tests", t("workflowTabs.tests"), paths.workflow(team, workflow, "tests")],
    ["versions", t("workflowTabs.versions"), paths.workflow(team, workflow, "versions")],
    ["configure", t("workflowTabs.configure"), paths.workflowConfigure(team, workflow)],
  ] as const;
  return (
    <nav className={classes.tabs} aria-label={t("workflowTabs.workflowViews")}>
      {tabs.map(([key, label, to]) => (
        <Link key={key} to={to} className={classes.tab} {...(view === key && { "aria-current": "page" })}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
