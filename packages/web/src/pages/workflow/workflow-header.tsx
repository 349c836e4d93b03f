import { lazy, Suspense, useState } from "react";
import { useDraft } from "../../editor/draft/draft-context.ts";
import { SaveControls } from "../../editor/draft/save-controls.tsx";
import { useRights } from "../../hooks/use-caller.ts";
import { t } from "../../texts/workflow.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { Tag, UnsavedTag } from "../../ui/mark/tag.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";

const RunDialog = lazy(() => import("../../components/run-form/run-dialog.tsx").then((module) => ({ default: module.RunDialog })));

const viewWords: Readonly<Record<string, string>> = {
  code: "Code",
  versions: t("workflowHeader.viewVersions"),
  configure: t("workflowHeader.viewConfigure"),
};

interface WorkflowHeaderProps {
  view: string;
  isEditor: boolean;
  isOldVersion: boolean;
}

/** Title and state of the workflow; running it, and saving the draft where there is one. */
export function WorkflowHeader({ view, isEditor, isOldVersion }: WorkflowHeaderProps) {
  const { team, workflow, loaded, isDirty } = useDraft();
  const rights = useRights(team);
  const [isRunning, setRunning] = useState(false);
  const { displayName, name, status, version, changelog } = loaded.data;
  const whyNotRun = rights.whyNot("workflow/action") ?? (status === "active" ? undefined : t("workflowHeader.onlyActiveWorkflowsRun"));
  return (
    <PageHeader
      title={displayName || name}
      tab={`${isDirty ? "• " : ""}${displayName || name} · ${viewWords[view] ?? "Design"}`}
      state={
        <>
          <Tag>{t.rich("workflowHeader.version", { version: () => version })}</Tag>
          {status !== "active" && <Tag>{t("workflowHeader.inactive")}</Tag>}
          {isDirty && <UnsavedTag />}
        </>
      }
      detail={
        <>
          {displayName !== name && `${name} · `}
          {t.rich("workflowHeader.saved", { time: () => <TimeText at={changelog?.date} />, author: changelog?.author ?? "" })}
        </>
      }
    >
      <ActionButton
        size="xs"
        variant="default"
        whyNot={whyNotRun ?? (isDirty ? t("workflowHeader.saveFirstRunsUse") : undefined)}
        onClick={() => setRunning(true)}
      >
        {t("workflowHeader.run")}
      </ActionButton>
      {isEditor && !isOldVersion && <SaveControls />}
      {isRunning && (
        <Suspense>
          <RunDialog team={team} workflow={workflow} isOpen onClose={() => setRunning(false)} />
        </Suspense>
      )}
    </PageHeader>
  );
}
