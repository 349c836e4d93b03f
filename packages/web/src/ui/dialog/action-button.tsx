import { Button, type ButtonProps, Group, Tooltip } from "@mantine/core";
import { type MouseEventHandler, useState } from "react";
import { t } from "../../texts/ui.ts";

interface ActionButtonProps extends ButtonProps {
  onClick?: MouseEventHandler<HTMLButtonElement>;
  type?: "button" | "submit";
  /** Why it is disabled; undefined: it is enabled. From `rights.whyNot(…)` or from the state of the object. */
  whyNot?: string | undefined;
}

/**
 * A button that explains why it is disabled instead of disappearing. It can be focused in both states, so that screen readers announce the
 * reason too.
 */
export function ActionButton({ whyNot, onClick, ...rest }: ActionButtonProps) {
  // A click itself may disable the button: "No unsaved changes" shouldn't pop up right after saving. So the reason is hidden until the
  // pointer has left and returned.
  const [isPressed, setPressed] = useState(false);
  const forget = () => setPressed(false);
  if (whyNot === undefined)
    return (
      <Button
        {...rest}
        onMouseLeave={forget}
        onClick={(event) => {
          setPressed(true);
          onClick?.(event);
        }}
      />
    );
  return (
    <Tooltip label={whyNot} multiline maw={320} disabled={isPressed} events={{ hover: true, focus: true, touch: true }}>
      <Button
        {...rest}
        type="button"
        data-disabled
        aria-disabled
        onMouseLeave={forget}
        onClick={(event) => event.preventDefault()}
        aria-description={whyNot}
      />
    </Tooltip>
  );
}

interface EditAndDeleteProps {
  /** The object of the row. */
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
