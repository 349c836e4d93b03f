import { ActionIcon, Button, Group, Modal, TextInput, Tooltip } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { IconMessagePlus } from "@tabler/icons-react";
import { useState } from "react";
import { t } from "../../texts/workflow/designer.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { useDraft } from "./draft-context.ts";
import { useSaving } from "./save-context.ts";

/** The main action of the designer: saves a new version of the workflow, with an optional reason for the change log. */
export function SaveControls() {
  const { isDirty, pendingText, whyNotEdit } = useDraft();
  const { save, isSaving } = useSaving();
  const [isAsking, setAsking] = useState(false);
  const whyNot =
    whyNotEdit ?? (pendingText ? t("saveControls.fixErrorsCodeFirst") : isDirty ? undefined : t("saveControls.noUnsavedChanges"));
  // Works wherever the focus is: nobody wants the browser to save the page.
  useHotkeys([["mod+S", () => whyNot === undefined && !isSaving && save()]], [], true);
  return (
    <Group gap={4} wrap="nowrap">
      <ActionButton size="xs" whyNot={whyNot} loading={isSaving} onClick={() => save()}>
        {t("saveControls.save")}
      </ActionButton>
      {whyNot === undefined && (
        <Tooltip label={t("saveControls.saveMessage")}>
          <ActionIcon variant="default" size={30} aria-label={t("saveControls.saveMessage")} onClick={() => setAsking(true)}>
            <IconMessagePlus size={16} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      )}
      <ReasonDialog isOpen={isAsking} onClose={() => setAsking(false)} onSave={(message) => save({ message })} />
    </Group>
  );
}

interface ReasonDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onSave: (message: string) => void;
}

function ReasonDialog({ isOpen, onClose, onSave }: ReasonDialogProps) {
  const [message, setMessage] = useState("");
  return (
    <Modal
      closeButtonProps={{ "aria-label": t("saveControls.close") }}
      opened={isOpen}
      onClose={onClose}
      title={t("saveControls.saveMessage")}
      centered
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSave(message.trim());
          setMessage("");
          onClose();
        }}
      >
        <TextInput
          label={t("saveControls.changeMessage")}
          description={t("saveControls.changeMessageHelp")}
          value={message}
          maxLength={500}
          data-autofocus
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs" mt="md">
          <Button variant="default" onClick={onClose}>
            {t("saveControls.keepEditing")}
          </Button>
          <Button type="submit">{t("saveControls.save")}</Button>
        </Group>
      </form>
    </Modal>
  );
}
