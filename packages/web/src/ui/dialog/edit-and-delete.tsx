import { Group } from "@mantine/core";
import { t } from "../../texts/ui.ts";
import { ActionButton } from "./action-button.tsx";

interface EditAndDeleteProps {
  /** What the row is about. */
  of: string;
  whyNotEdit: string | undefined;
  whyNotDelete: string | undefined;
  onEdit: () => void;
  onDelete: () => void;
}

/** The two actions at the end of a row. */
export function EditAndDelete({ of, whyNotEdit, whyNotDelete, onEdit, onDelete }: EditAndDeleteProps) {
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <ActionButton
        size="compact-xs"
        variant="default"
        whyNot={whyNotEdit}
        onClick={onEdit}
        aria-label={t("editAndDelete.editAction", { of })}
      >
        {t("editAndDelete.edit")}
      </ActionButton>
      <ActionButton
        size="compact-xs"
        variant="default"
        whyNot={whyNotDelete}
        onClick={onDelete}
        aria-label={t("editAndDelete.deleteAction", { of })}
      >
        {t("editAndDelete.delete")}
      </ActionButton>
    </Group>
  );
}
