import { Button, type ButtonProps, Group, Tooltip } from "@mantine/core";
import { type MouseEventHandler, useState } from "react";
import { t } from "../../texts/ui.ts";

interface ActionButtonProps extends ButtonProps {
  onClick?: MouseEventHandler<HTMLButtonElement>;
  type?: "button" | "submit";
  /** Why it can't be pressed; undefined: it can. From `rights.whyNot(…)` or from the state of the thing. */
  whyNot?: string | undefined;
}

/**
 * A button that says why it does not work instead of vanishing. It can be reached by keyboard in both states, so that the reason is
 * heard, too.
 */
export function ActionButton({ whyNot, onClick, ...rest }: ActionButtonProps) {
  // A press may be the reason: "No unsaved changes" is nothing to say about the save that has just been made. So the reason is not shown
  // before the pointer comes again.
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
