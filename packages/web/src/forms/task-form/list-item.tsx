import { ActionIcon, Group, Text } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { t } from "../../texts/task/task-form.ts";
import classes from "./list-item.module.css";

interface ListItemProps {
  /** Its name for screen readers, also shown above its fields. */
  title: string;
  state?: ReactNode;
  index: number;
  count: number;
  onMove?: (to: number) => void;
  onRemove: () => void;
  isReadOnly: boolean;
  children: ReactNode;
}

/** One of several items in a form, which can be moved and removed. */
export function ListItem({ title, state, index, count, onMove, onRemove, isReadOnly, children }: ListItemProps) {
  return (
    <section className={classes.item} aria-label={title}>
      <Group justify="space-between" gap="xs" wrap="nowrap" mb={4}>
        <Group gap="xs" miw={0}>
          <Text component="h3" fw={500}>
            {title}
          </Text>
          {state}
        </Group>
        {!isReadOnly && (
          <Group gap={4} wrap="nowrap">
            {onMove && (
              <>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t("listItem.moveUp", { title })}
                  disabled={index === 0}
                  onClick={() => onMove(index - 1)}
                >
                  <IconArrowUp size={16} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t("listItem.moveDown", { title })}
                  disabled={index === count - 1}
                  onClick={() => onMove(index + 1)}
                >
                  <IconArrowDown size={16} />
                </ActionIcon>
              </>
            )}
            <ActionIcon variant="subtle" color="gray" aria-label={t("listItem.remove", { title })} onClick={onRemove}>
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        )}
      </Group>
      {children}
    </section>
  );
}
