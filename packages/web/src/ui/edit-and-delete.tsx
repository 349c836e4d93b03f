import { Group } from "@mantine/core";
import { DeedButton } from "./deed-button.tsx";

interface EditAndDeleteProps {
  /** What the row is about. */
  of: string;
  whyNotEdit: string | undefined;
  whyNotDelete: string | undefined;
  onEdit: () => void;
  onDelete: () => void;
}

/** The two deeds at the end of a row. */
export function EditAndDelete({ of, whyNotEdit, whyNotDelete, onEdit, onDelete }: EditAndDeleteProps) {
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <DeedButton size="compact-xs" variant="default" whyNot={whyNotEdit} onClick={onEdit} aria-label={`Edit ${of}`}>
        Edit
      </DeedButton>
      <DeedButton size="compact-xs" variant="default" whyNot={whyNotDelete} onClick={onDelete} aria-label={`Delete ${of}`}>
        Delete
      </DeedButton>
    </Group>
  );
}
