import { SegmentedControl } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import type { TaskScope } from "../../api/queries/tasks.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { useTeam } from "../../hooks/use-team.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
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
        detail={scope === undefined ? "Available to every team" : "Reusable tasks"}
      >
        {scope !== undefined && (
          <SegmentedControl
            size="xs"
            aria-label="Task scope"
            value={of}
            data={[
              { value: "team", label: "Team" },
              { value: "global", label: "Global" },
            ]}
            onChange={(next) => change({ of: next })}
          />
        )}
        <ActionButton size="xs" leftSection={<IconPlus size={16} />} whyNot={rights.whyNot("task/write")} onClick={open}>
          Create task
        </ActionButton>
      </PageHeader>
      <TaskList
        key={isGlobal ? "global" : "team"}
        scope={isGlobal ? undefined : scope}
        onCreate={open}
        mayCreate={rights.may("task/write")}
      />
      {isOpen && <CreateTaskDialog scope={scope} onClose={close} />}
    </>
  );
}
