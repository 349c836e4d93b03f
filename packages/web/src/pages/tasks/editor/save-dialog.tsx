import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { messageOf } from "../../../api/api-error.ts";
import { isConflict } from "../../../api/queries/tasks.ts";
import { t } from "../../../texts/tasks.ts";
import { TextDiff } from "../../../ui/code/text-diff.tsx";
import { SaveConflict, useTheirs } from "./save-conflict.tsx";
import type { StoredTask } from "./use-task-base.ts";
import { type TaskSave, useTaskSave } from "./use-task-save.ts";

interface SaveDialogProps extends TaskSave {
  isOpen: boolean;
  onClose: () => void;
}

/** Says what is about to be saved, and why it is. When somebody else was faster, what both did is shown and one decides. */
export function SaveDialog(props: SaveDialogProps) {
  const { scope, name, stored, state, base, isOpen, onClose } = props;
  const [choice, setChoice] = useState<VersionChoice>({ reason: "", isReplacing: false });
  const save = useTaskSave(props, choice);
  const isLost = isConflict(save.error);
  const theirs = useTheirs(scope, name, isLost);
  const close = () => {
    save.reset();
    setChoice({ ...choice, reason: "" });
    onClose();
  };
  const done = { onSuccess: close };
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={stored === undefined ? t("saveDialog.create", { name }) : t("saveDialog.saveTask")}
      size="xl"
      closeButtonProps={{ "aria-label": t("saveDialog.close") }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({ isForced: isLost }, done);
        }}
      >
        <Stack gap="sm">
          {stored !== undefined && !isLost && (
            <TextDiff label={t("saveDialog.changes")} before={base.text} after={state.text} language="yaml" />
          )}
          {isLost && <SaveConflict theirs={theirs} mine={state.text} />}
          {stored !== undefined && <VersionFields version={stored.task.version} choice={choice} onChoice={setChoice} />}
          {stored === undefined && <Text>{t("saveDialog.workflowsEveryTeamTeam", { kind: scope === undefined ? "yes" : "no" })}</Text>}
          {save.error !== null && !isLost && (
            <Text role="alert" c="var(--status-failed)">
              {messageOf(save.error)}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {isLost ? t("saveDialog.keepEditing") : t("saveDialog.cancel")}
            </Button>
            {/* Nothing is overwritten unseen, and the button is not pressed while what comes above it moves it. */}
            <Button
              type="submit"
              loading={save.isPending}
              disabled={isLost && theirs.stored === undefined}
              {...(isLost && { color: "red.8" })}
            >
              {verbOf(stored, choice.isReplacing, isLost)}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function verbOf(stored: StoredTask | undefined, isReplacing: boolean, isLost: boolean): string {
  if (stored === undefined) return t("saveDialog.createTask");
  if (isLost) return t("saveDialog.overwrite");
  return isReplacing
    ? t("saveDialog.replaceVersion", { version: String(stored.task.version) })
    : t("saveDialog.saveVersion", { version: String(stored.task.version + 1) });
}

interface VersionChoice {
  reason: string;
  isReplacing: boolean;
}

interface VersionFieldsProps {
  version: number;
  choice: VersionChoice;
  onChoice: (choice: VersionChoice) => void;
}

/** Of a task that is stored: why it changes, and whether that is a version of its own. */
function VersionFields({ version, choice, onChoice }: VersionFieldsProps) {
  return (
    <>
      <TextInput
        label={t("saveDialog.changeMessage")}
        value={choice.reason}
        maxLength={1000}
        autoComplete="off"
        data-autofocus
        onChange={(event) => onChoice({ ...choice, reason: event.currentTarget.value })}
      />
      <Checkbox
        label={t("saveDialog.replaceVersionInsteadCreating", { version: String(version) })}
        description={t("saveDialog.workflowsUseRunNew")}
        checked={choice.isReplacing}
        onChange={(event) => onChoice({ ...choice, isReplacing: event.currentTarget.checked })}
      />
    </>
  );
}
