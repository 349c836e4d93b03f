import { useQuery } from "@tanstack/react-query";
import { Outlet, useLocation } from "@tanstack/react-router";
import { workflowDraftQuery } from "../../api/queries/workflow-draft.ts";
import { DraftNotices } from "../../editor/draft/draft-notices.tsx";
import { DraftProvider } from "../../editor/draft/draft-provider.tsx";
import { useRights } from "../../hooks/use-caller.ts";
import { useParam, useTeam } from "../../hooks/use-team.ts";
import { t } from "../../texts/workflow.ts";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import classes from "./workflow-frame.module.css";
import { WorkflowHeader } from "./workflow-header.tsx";
import { WorkflowTabs } from "./workflow-tabs.tsx";

/** What the pages of one workflow share: its title, its state, its tabs, and the draft that is drawn and written. */
export function WorkflowFrame() {
  const team = useTeam();
  const workflow = useParam("workflow");
  const { pathname, search } = useLocation();
  const rights = useRights(team);
  const view = pathname.split("/")[4] ?? "design";
  const isEditor = view === "design" || view === "code";
  const version = isEditor ? Number(search.version) || 0 : 0;
  const query = useQuery(workflowDraftQuery(team, workflow, version));
  const { data } = query;
  if (data === undefined) return <NotLoaded query={query} label={t("workflowFrame.loadingWorkflow")} />;
  const whyNotEdit =
    version > 0 ? t("workflowFrame.viewingVersionRestoreUnder", { version: String(version) }) : rights.whyNot("workflow/write");
  return (
    <DraftProvider key={`${team}/${workflow}/${version}`} team={team} workflow={workflow} loaded={data} whyNotEdit={whyNotEdit}>
      <div className={classes.frame} data-editor={isEditor || undefined}>
        <WorkflowHeader view={view} isEditor={isEditor} isOldVersion={version > 0} />
        <WorkflowTabs team={team} workflow={workflow} view={view} />
        {isEditor && <DraftNotices />}
        <Outlet />
      </div>
    </DraftProvider>
  );
}
