import { Drawer } from "@mantine/core";
import { type FormErrors, useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import { saveSchedule, scheduledWorkflowQuery, scheduleQuery } from "../../api/queries/schedules.ts";
import { draftOf, inputOf, newDraft, type ScheduleDraft, scheduleFaults } from "../../forms/schedule-form/schedule-draft.ts";
import { ScheduleForm } from "../../forms/schedule-form/schedule-form.tsx";
import { useRights } from "../../hooks/use-caller.ts";
import { t } from "../../texts/schedules.ts";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { viewerZone } from "../../ui/time/zone-time.ts";
import classes from "./schedules.module.css";
import { useRefreshSchedules } from "./use-schedule-actions.ts";
import type { ChangePlace } from "./use-schedules-place.ts";

interface EditPanelProps {
  team: string;
  /** The id of a schedule, `new`, or empty when the panel is closed. */
  edit: string;
  /** The preselected workflow of a new schedule. */
  workflow: string;
  onPlace: ChangePlace;
}

/** The form for a schedule, beside the current view. */
export function EditPanel({ team, edit, workflow, onPlace }: EditPanelProps) {
  const isOld = edit !== "" && edit !== "new";
  const query = useQuery({ ...scheduleQuery(team, edit), enabled: isOld });
  const { data } = query;
  const close = () => onPlace({ edit: "", workflow: "" });
  return (
    <Drawer
      opened={edit !== ""}
      onClose={close}
      position="right"
      size="lg"
      classNames={{ title: classes.panelTitle ?? "" }}
      // A click outside the form must not discard what was typed.
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={isOld ? t("editPanel.edit", { name: data?.name ?? "schedule" }) : t("editPanel.createSchedule")}
      closeButtonProps={{ "aria-label": t("editPanel.close") }}
    >
      {isOld && <NotLoaded query={query} label={t("editPanel.loadingSchedule")} />}
      {(!isOld || data) && (
        <Editor
          key={edit}
          team={team}
          start={isOld && data ? draftOf(data) : newDraft(viewerZone(), workflow)}
          onClose={close}
          onSaved={(id) => onPlace({ edit: "", workflow: "", schedule: id })}
        />
      )}
    </Drawer>
  );
}

interface EditorProps {
  team: string;
  start: ScheduleDraft;
  onClose: () => void;
  onSaved: (id: string) => void;
}

function Editor({ team, start, onClose, onSaved }: EditorProps) {
  const form = useForm<ScheduleDraft>({ initialValues: start, validate: (draft): FormErrors => scheduleFaults(draft, data?.params ?? []) });
  const { data } = useQuery(scheduledWorkflowQuery(team, form.values.workflow));
  const rights = useRights(team);
  const refresh = useRefreshSchedules(team);
  const save = async (draft: ScheduleDraft) => {
    const { id, name } = await saveSchedule(team, inputOf(draft));
    await refresh();
    notifications.show({
      message: draft.id === undefined ? t("editPanel.scheduleCreated", { name }) : t("editPanel.scheduleSaved", { name }),
    });
    onSaved(id);
  };
  return (
    <ScheduleForm team={team} form={form} workflow={data} onSubmit={save} onCancel={onClose} whyNot={rights.whyNot("schedule/write")} />
  );
}
