import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { api, call } from "../../api/client.ts";
import { openRunCountQuery } from "../../api/queries/run/runs.ts";
import { readWorkflow, writeWorkflow } from "../../api/queries/workflow/workflows.ts";
import { RunDialog } from "../../components/run-form/run-dialog.tsx";
import { useApiMutation } from "../../hooks/use-renew.ts";
import { t } from "../../texts/workflow/workflows.ts";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import type { WorkflowRow } from "./workflow-rows.ts";

/** The actions for one workflow of the list, and their dialogs. */
export interface WorkflowActions {
  run: (row: WorkflowRow) => void;
  duplicate: (row: WorkflowRow) => void;
  toggle: (row: WorkflowRow) => void;
  /** Archives or restores the workflow. */
  archive: (row: WorkflowRow) => void;
  /** Marks the workflow as a favourite of this user, or removes the mark. */
  mark: (row: WorkflowRow) => void;
  remove: (row: WorkflowRow) => void;
  dialogs: ReactNode;
}

export function useWorkflowActions(team: string): WorkflowActions {
  const [running, run] = useState<WorkflowRow>();
  const [removing, remove] = useState<WorkflowRow>();
  const duplicate = useDuplicate(team);
  const toggle = useToggle(team);
  const drop = useDelete(team);
  const archive = useArchive(team);
  const mark = useMark(team);
  const dialogs = (
    <>
      {running && <RunDialog team={team} workflow={running.name} onClose={() => run(undefined)} />}
      {removing && (
        <ConfirmDialog
          isOpen
          onClose={() => remove(undefined)}
          title={t("workflowActions.delete", { title: removing.title })}
          action={t("workflowActions.deleteWorkflow")}
          isDangerous
          typeToConfirm={removing.name}
          onConfirm={() => drop.mutateAsync(removing)}
        >
          {t.rich("workflowActions.permanentlyDeletesWorkflowAll", { openRuns: () => <OpenRuns team={team} workflow={removing.name} /> })}
        </ConfirmDialog>
      )}
    </>
  );
  return { run, remove, duplicate: duplicate.mutate, toggle: toggle.mutate, archive: archive.mutate, mark: mark.mutate, dialogs };
}

/** The open runs that will be cancelled, shown before confirmation. */
function OpenRuns({ team, workflow }: { team: string; workflow: string }) {
  const { data: count = 0 } = useQuery(openRunCountQuery(team, workflow));
  if (count === 0) return null;
  return <strong>{t("workflowActions.runProgressCancelledRuns", { count })}</strong>;
}

/** The lists of workflows and the quotas of the team are outdated afterwards. */
const changes = ["workflows", "workflow", "team"] as const;

const refused = (title: string) => (error: unknown) =>
  notifications.show({ color: "red", title, message: messageOf(error), autoClose: 10_000 });

function useDuplicate(team: string) {
  return useApiMutation({
    changes,
    team,
    mutationFn: ({ name }: WorkflowRow) =>
      call(api.POST("/api/v2/team/{team}/workflow/{workflow}/duplicate", { params: { path: { team, workflow: name } } })),
    toast: (copy) => t("workflowActions.createdTriggersSecrets", { name: copy.name }),
    onError: refused(t("workflowActions.couldntDuplicateWorkflow")),
  });
}

function useToggle(team: string) {
  return useApiMutation({
    changes,
    team,
    mutationFn: async ({ name, isActive }: WorkflowRow) => {
      const { data, etag } = await readWorkflow(team, name);
      return writeWorkflow(team, { ...data, status: isActive ? "inactive" : "active" }, { replace: true, etag });
    },
    onError: refused(t("workflowActions.couldntChangeWorkflow")),
  });
}

function useArchive(team: string) {
  return useApiMutation({
    changes: [...changes, "schedules", "overview"],
    team,
    mutationFn: ({ name, isArchived }: WorkflowRow) => {
      const place = { params: { path: { team, workflow: name } } };
      const path = "/api/v2/team/{team}/workflow/{workflow}/archive";
      return call(isArchived ? api.DELETE(path, place) : api.PUT(path, place));
    },
    toast: (_, { title, isArchived }) => t(isArchived ? "workflowActions.restored" : "workflowActions.archived", { title }),
    onError: refused(t("workflowActions.couldntChangeWorkflow")),
  });
}

function useMark(team: string) {
  return useApiMutation({
    changes: ["workflows", "overview"],
    team,
    mutationFn: ({ name, isFavourite }: WorkflowRow) => {
      const place = { params: { path: { team, workflow: name } } };
      const path = "/api/v2/team/{team}/workflow/{workflow}/favourite";
      return call(isFavourite ? api.DELETE(path, place) : api.PUT(path, place));
    },
    onError: refused(t("workflowActions.couldntChangeWorkflow")),
  });
}

function useDelete(team: string) {
  return useApiMutation({
    changes,
    team,
    mutationFn: ({ name }: WorkflowRow) =>
      call(api.DELETE("/api/v2/team/{team}/workflow/{workflow}", { params: { path: { team, workflow: name } } })),
    toast: (_, { title }) => t("workflowActions.deleted", { title }),
  });
}
