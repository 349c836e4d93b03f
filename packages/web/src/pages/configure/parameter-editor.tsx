import { ActionIcon, Group, Text, UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconChevronDown, IconChevronRight, IconTrash } from "@tabler/icons-react";
import type { Param } from "../../forms/parameter-values.ts";
import { t } from "../../texts/configure.ts";
import classes from "./configure.module.css";
import { ParameterMembers } from "./parameter-members.tsx";

interface ParameterEditorProps {
  param: Param;
  /** What the service refused of it. */
  fault: string | undefined;
  isOpen: boolean;
  onToggle: () => void;
  onChange: (param: Param) => void;
  onRemove: () => void;
  onUp: (() => void) | undefined;
  onDown: (() => void) | undefined;
}

/** One declaration: a line, and its members when it is opened. */
export function ParameterEditor({ param, fault, isOpen, onToggle, onChange, onRemove, onUp, onDown }: ParameterEditorProps) {
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  const move = (word: string, Icon: typeof IconArrowUp, onClick: (() => void) | undefined) => (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={t("parameterEditor.move", { name: param.name, word })}
      disabled={!onClick}
      onClick={onClick}
    >
      <Icon size={16} />
    </ActionIcon>
  );
  return (
    <section className={classes.panel} aria-label={t("parameterEditor.parameter", { name: param.name })}>
      <Group className={classes.panelHead} gap="xs" wrap="nowrap" py={6}>
        <UnstyledButton onClick={onToggle} aria-expanded={isOpen} flex={1} miw={0} mih={24}>
          <Group gap="xs" wrap="nowrap">
            <Chevron size={16} aria-hidden />
            <Text component="span" fw={500}>
              {param.label || param.name}
            </Text>
            <Text component="span" size="sm" className="quiet">
              {param.name}, {param.type ?? "text"}
              {param.required && `, ${t("parameterEditor.required")}`}
            </Text>
          </Group>
        </UnstyledButton>
        {move("up", IconArrowUp, onUp)}
        {move("down", IconArrowDown, onDown)}
        <ActionIcon variant="subtle" color="gray" aria-label={t("parameterEditor.remove", { name: param.name })} onClick={onRemove}>
          <IconTrash size={16} />
        </ActionIcon>
      </Group>
      {fault !== undefined && (
        <Text size="sm" role="alert" c="var(--status-failed)" px="md" pb={8}>
          {fault}
        </Text>
      )}
      {isOpen && (
        <div className={classes.panelBody}>
          <ParameterMembers param={param} onChange={onChange} />
        </div>
      )}
    </section>
  );
}
