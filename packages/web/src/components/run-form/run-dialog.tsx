import { Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { workflowQuery } from "../../api/queries/workflows.ts";
import { ErrorState } from "../../ui/state/error-state.tsx";
import { LoadingState } from "../../ui/state/loading-state.tsx";
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
  const { data, error, refetch } = useQuery({ ...workflowQuery(team, workflow), enabled: isOpen });
  const name = data?.data.displayName || data?.data.name || workflow;
  return (
    <Modal opened={isOpen} onClose={onClose} title={title ?? `Run ${name}`} size="lg">
      {data !== undefined && <RunForm team={team} workflow={data.data} initialParams={initialParams} onClose={onClose} />}
      {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <LoadingState label="Loading parameters" rows={3} />}
    </Modal>
  );
}
