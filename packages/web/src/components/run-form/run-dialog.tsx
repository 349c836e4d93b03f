import { Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { workflowQuery } from "../../api/queries/workflows.ts";
import { t } from "../../texts/run-form.ts";
import { QueryView } from "../../ui/state/query-view.tsx";
import { RunForm } from "./run-form.tsx";

interface RunDialogProps {
  team: string;
  /** Name or id. */
  workflow: string;
  isOpen: boolean;
  onClose: () => void;
  /** Values to begin with, such as those of a run that is run again. */
  initialParams?: Record<string, unknown>;
  title?: string;
}

/** Asks for the parameters of a workflow, starts a run, and leads to it. What was typed stays when the service refuses. */
export function RunDialog({ team, workflow, isOpen, onClose, initialParams = {}, title }: RunDialogProps) {
  const query = useQuery({ ...workflowQuery(team, workflow), enabled: isOpen });
  const name = query.data?.data.displayName || query.data?.data.name || workflow;
  return (
    <Modal opened={isOpen} onClose={onClose} title={title ?? t("runDialog.run", { name })} size="lg">
      <QueryView query={query} label={t("runDialog.loadingParameters")} rows={3}>
        {(loaded) => <RunForm team={team} workflow={loaded.data} initialParams={initialParams} onClose={onClose} />}
      </QueryView>
    </Modal>
  );
}
