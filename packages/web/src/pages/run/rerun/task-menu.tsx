import { ActionIcon, Menu } from "@mantine/core";
import { isRunOver } from "@millrace/contract/run/run-rules.ts";
import { neverMarkedTypes, type TaskType } from "@millrace/contract/status.ts";
import { IconDots } from "@tabler/icons-react";
import { lazy, useState } from "react";
import type { TaskRun } from "../../../api/queries/task/task-catalog.ts";
import { hasFailed } from "../../../components/run-graph/run-graph-model.ts";
import { useRights } from "../../../hooks/use-caller.ts";
import { t } from "../../../texts/run/rerun.ts";
import { ActionItem } from "../../../ui/dialog/action-item.tsx";
import { LateOverlay } from "../../../ui/dialog/late-overlay.tsx";
import { useRunView } from "../run-context.tsx";

const RerunDialog = lazy(() => import("./rerun-dialog.tsx").then((module) => ({ default: module.RerunDialog })));
const MarkDialog = lazy(() => import("./mark-dialog.tsx").then((module) => ({ default: module.MarkDialog })));

const neverMarked: readonly TaskType[] = neverMarkedTypes;

/** The actions for a task of a finished run. */
export function TaskMenu({ task }: { task: TaskRun }) {
  const { team, run } = useRunView();
  const rights = useRights(team);
  const [asking, setAsking] = useState<"rerun" | "mark">();
  if (!isRunOver(run) || run.trial || run.nested || task.type === "start" || task.type === "end") return null;
  const whyNotItem = task.item === undefined ? undefined : t("taskMenu.notItem");
  const close = () => setAsking(undefined);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t("taskMenu.label", { name: task.name })}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <ActionItem whyNot={whyNotItem ?? rights.whyNot("workflowrun/action")} onClick={() => setAsking("rerun")}>
            {t("taskMenu.rerunFrom")}
          </ActionItem>
          <ActionItem whyNot={whyNotItem ?? whyNotMarked(task) ?? rights.whyNot("taskrun/write")} onClick={() => setAsking("mark")}>
            {t("taskMenu.mark")}
          </ActionItem>
        </Menu.Dropdown>
      </Menu>
      <LateOverlay onClose={close}>
        {asking === "rerun" && <RerunDialog from={task.name} onClose={close} />}
        {asking === "mark" && <MarkDialog task={task.name} onClose={close} />}
      </LateOverlay>
    </>
  );
}

function whyNotMarked({ type, status }: TaskRun): string | undefined {
  if (neverMarked.includes(type)) return t("taskMenu.never");
  return hasFailed(status) ? undefined : t("taskMenu.notFailed");
}
