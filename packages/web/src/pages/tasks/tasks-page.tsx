import { SegmentedControl } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type TaskScope, tasksQuery } from "../../api/queries/tasks.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { useTeam } from "../../hooks/use-team.ts";
import { DeedButton } from "../../ui/deed-button.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { CreateTaskDialog } from "./create-task-dialog.tsx";
import { TaskList } from "./task-list.tsx";

export function TeamTasksPage() {
  const team = useTeam();
  return <TasksPage scope={team} />;
}

export function GlobalTasksPage() {
  return <TasksPage scope={undefined} />;
}

/** The tasks of a team, with the global ones it can use apart from them; or the global ones alone. */
function TasksPage({ scope }: { scope: TaskScope }) {
  const rights = useRights(scope);
  const [{ of }, change] = useSearchState({ of: "team" });
  const isGlobal = scope === undefined || of === "global";
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <PageHeader
        title={scope === undefined ? "Global tasks" : "Tasks"}
        detail={scope === undefined ? "Every team can use them" : "What the workflows of this team are made of"}
      >
        {scope !== undefined && (
          <SegmentedControl
            size="xs"
            aria-label="Whose tasks"
            value={of}
            data={[
              { value: "team", label: "Of the team" },
              { value: "global", label: "Global" },
            ]}
            onChange={(next) => change({ of: next })}
          />
        )}
        <DeedButton leftSection={<IconPlus size={16} />} whyNot={rights.whyNot("task/write")} onClick={open}>
          Create task
        </DeedButton>
      </PageHeader>
      <Tasks scope={isGlobal ? undefined : scope} onCreate={open} mayCreate={rights.may("task/write")} />
      <CreateTaskDialog scope={scope} isOpen={isOpen} onClose={close} />
    </>
  );
}

function Tasks({ scope, ...create }: { scope: TaskScope; onCreate: () => void; mayCreate: boolean }) {
  const { data, error, refetch } = useQuery(tasksQuery(scope));
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingState label="Loading the tasks" rows={8} />;
  return <TaskList tasks={data} scope={scope} {...create} />;
}
