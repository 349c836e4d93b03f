import { ActionIcon, Button, Group, Text, UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconChevronDown, IconChevronRight, IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { moved } from "../../forms/list-edits.ts";
import type { Param } from "../../forms/parameter-values.ts";
import { t } from "../../texts/workflow/configure.ts";
import panel from "../../ui/panel.module.css";
import { useSectionDraft } from "../draft/use-section-draft.ts";
import { cleanParam, freshName, type NumberedParam, nameFault, numbered, paramsFault } from "./parameter-list.ts";
import { ParameterMembers } from "./parameter-members.tsx";

/** The declared parameters of the draft; inside a nested workflow, those of the nested workflow. */
export function useParameterList() {
  return useSectionDraft<{ list: NumberedParam[] }>({
    section: "parameters",
    members: ["params"],
    read: ({ params }) => ({ list: numbered(params ?? []) }),
    write: ({ list }) => (paramsFault(list) === undefined ? { params: list.map(({ param }) => cleanParam(param)) } : undefined),
  });
}

type ParameterListProps = Pick<ReturnType<typeof useParameterList>, "value" | "change" | "faultAt"> & {
  /** The text shown while there are none. */
  none: string;
};

/** The declarations, in the order in which the form shows them. */
export function ParameterList({ value: { list }, change, faultAt, none }: ParameterListProps) {
  const [open, setOpen] = useState<number>();
  const put = (next: NumberedParam[]) => change({ list: next });
  const add = () => {
    const number = Math.max(0, ...list.map((param) => param.number)) + 1;
    put([...list, { number, param: { name: freshName(list), type: "text" } }]);
    setOpen(number);
  };
  return (
    <>
      {list.length === 0 && <Text className="quiet">{none}</Text>}
      {list.map((one, index) => (
        <ParameterEditor
          key={one.number}
          param={one.param}
          nameFault={nameFault(list, one)}
          faultAt={(member) => faultAt(`/params/${index}${member}`)}
          isOpen={open === one.number}
          onToggle={() => setOpen(open === one.number ? undefined : one.number)}
          onChange={(param) => put(list.map((other) => (other === one ? { ...one, param } : other)))}
          onRemove={() => put(list.filter((other) => other !== one))}
          onUp={index > 0 ? () => put(moved(list, index, -1)) : undefined}
          onDown={index < list.length - 1 ? () => put(moved(list, index, 1)) : undefined}
        />
      ))}
      <Group>
        <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
          {t("parametersSection.addParameter")}
        </Button>
      </Group>
    </>
  );
}

interface ParameterEditorProps {
  param: Param;
  /** The error the service returned for the name. */
  nameFault: string | undefined;
  faultAt: (member: string) => string | undefined;
  isOpen: boolean;
  onToggle: () => void;
  onChange: (param: Param) => void;
  onRemove: () => void;
  onUp: (() => void) | undefined;
  onDown: (() => void) | undefined;
}

/** One declaration: a line that expands to show its members. */
function ParameterEditor({
  param,
  nameFault: wrongName,
  faultAt,
  isOpen,
  onToggle,
  onChange,
  onRemove,
  onUp,
  onDown,
}: ParameterEditorProps) {
  const fault = wrongName ?? faultAt("");
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  const move = (word: string, Icon: typeof IconArrowUp, onClick: (() => void) | undefined) => (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={t("parametersSection.move", { name: param.name, word })}
      disabled={!onClick}
      onClick={onClick}
    >
      <Icon size={16} />
    </ActionIcon>
  );
  return (
    <section className={panel.panel} aria-label={t("parametersSection.parameter", { name: param.name })}>
      <Group className={panel.head} gap="xs" wrap="nowrap" py={6}>
        <UnstyledButton onClick={onToggle} aria-expanded={isOpen} flex={1} miw={0} mih={24}>
          <Group gap="xs" wrap="nowrap">
            <Chevron size={16} aria-hidden />
            <span>
              <Text component="span" fw={500} mr="xs">
                {param.label || param.name}
              </Text>
              <Text component="span" size="sm" className="quiet">
                {param.name}, {param.type ?? "text"}
                {param.required && `, ${t("parametersSection.required")}`}
              </Text>
            </span>
          </Group>
        </UnstyledButton>
        {move("up", IconArrowUp, onUp)}
        {move("down", IconArrowDown, onDown)}
        <ActionIcon variant="subtle" color="gray" aria-label={t("parametersSection.remove", { name: param.name })} onClick={onRemove}>
          <IconTrash size={16} />
        </ActionIcon>
      </Group>
      {fault !== undefined && !isOpen && (
        <Text size="sm" role="alert" c="var(--status-failed)" px="md" pb={8}>
          {fault}
        </Text>
      )}
      {isOpen && (
        <div className={panel.body}>
          <ParameterMembers param={param} nameFault={wrongName} faultAt={faultAt} onChange={onChange} />
        </div>
      )}
    </section>
  );
}
