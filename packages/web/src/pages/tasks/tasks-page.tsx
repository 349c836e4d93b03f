import { SegmentedControl } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import type { TaskScope } from "../../api/queries/task/tasks.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { useTeam } from "../../hooks/use-team.ts";
import { t } from "../../texts/task/tasks.ts";
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

/** The tasks of a team and, separately, the global ones it can use; or only the global ones. */
function TasksPage({ scope }: { scope: TaskScope }) {
  const rights = useRights(scope);
  const [{ of }, change] = useSearchState({ of: "team" });
  const isGlobal = scope === undefined || of === "global";
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <PageHeader
        title={scope === undefined ? t("tasksPage.globalTasks") : t("tasksPage.tasks")}
        detail={scope === undefined ? t("tasksPage.availableEveryTeam") : t("tasksPage.reusableTasks")}
      >
        {scope !== undefined && (
          <SegmentedControl
            size="xs"
            aria-label={t("tasksPage.taskScope")}
            value={of}
            data={[
              { value: "team", label: t("tasksPage.team") },
              { value: "global", label: t("tasksPage.global") },
            ]}
            onChange={(next) => change({ of: next })}
          />
        )}
        <ActionButton size="xs" leftSection={<IconPlus size={16} />} whyNot={rights.whyNot("task/write")} onClick={open}>
          {t("tasksPage.createTask")}
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
