import { ActionIcon, Button, Group, Stack, Text, Title, UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconChevronDown, IconChevronRight, IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { moved } from "../../forms/list-edits.ts";
import { ParameterForm, type ParamValues } from "../../forms/parameter-form.tsx";
import type { Param } from "../../forms/parameter-values.ts";
import { t } from "../../texts/workflow/configure.ts";
import classes from "./configure.module.css";
import { cleanParam, freshName, type NumberedParam, nameFault, numbered, paramsFault } from "./parameter-list.ts";
import { ParameterMembers } from "./parameter-members.tsx";
import { SaveBar } from "./save-bar.tsx";
import { type SectionProps, useSectionDraft } from "./use-section-draft.ts";

/** What a run is asked for: the declarations at the left, the form that they make at the right. */
export function ParametersSection({ team }: SectionProps) {
  const section = useSectionDraft<{ list: NumberedParam[] }>({
    section: "parameters",
    members: ["params"],
    read: ({ params }) => ({ list: numbered(params ?? []) }),
    write: ({ list }) => (paramsFault(list) === undefined ? { params: list.map(({ param }) => cleanParam(param)) } : undefined),
  });
  const { value: draft, change, faultAt } = section;
  const [open, setOpen] = useState<number>();
  const fault = paramsFault(draft.list);
  const put = (list: NumberedParam[]) => change({ list });
  const add = () => {
    const number = Math.max(0, ...draft.list.map((param) => param.number)) + 1;
    put([...draft.list, { number, param: { name: freshName(draft.list), type: "text" } }]);
    setOpen(number);
  };
  return (
    <div className={classes.two}>
      <Stack gap="sm">
        {draft.list.length === 0 && <Text className="quiet">{t("parametersSection.workflowHasNoParameters")}</Text>}
        {draft.list.map((one, index) => (
          <ParameterEditor
            key={one.number}
            param={one.param}
            nameFault={nameFault(draft.list, one)}
            faultAt={(member) => faultAt(`/params/${index}${member}`)}
            isOpen={open === one.number}
            onToggle={() => setOpen(open === one.number ? undefined : one.number)}
            onChange={(param) => put(draft.list.map((other) => (other === one ? { ...one, param } : other)))}
            onRemove={() => put(draft.list.filter((other) => other !== one))}
            onUp={index > 0 ? () => put(moved(draft.list, index, -1)) : undefined}
            onDown={index < draft.list.length - 1 ? () => put(moved(draft.list, index, 1)) : undefined}
          />
        ))}
        <Group>
          <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
            {t("parametersSection.addParameter")}
          </Button>
        </Group>
        <SaveBar team={team} section={section} fault={fault} />
      </Stack>
      <Preview list={draft.list} />
    </div>
  );
}

/** The form as it will be shown; what is typed into it goes nowhere. */
function Preview({ list }: { list: readonly NumberedParam[] }) {
  const [values, setValues] = useState<ParamValues>({});
  return (
    <section className={classes.preview} aria-label={t("parametersSection.formPreview")}>
      <Title order={3} mb="sm">
        {t("parametersSection.preview")}
      </Title>
      {list.length === 0 && <Text className="quiet">{t("parametersSection.runFormAppearsHere")}</Text>}
      <ParameterForm params={list.map(({ param }) => param)} values={values} onChange={setValues} />
    </section>
  );
}

interface ParameterEditorProps {
  param: Param;
  /** What the service refused of it. */
  nameFault: string | undefined;
  faultAt: (member: string) => string | undefined;
  isOpen: boolean;
  onToggle: () => void;
  onChange: (param: Param) => void;
  onRemove: () => void;
  onUp: (() => void) | undefined;
  onDown: (() => void) | undefined;
}

/** One declaration: a line, and its members when it is opened. */
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
    <section className={classes.panel} aria-label={t("parametersSection.parameter", { name: param.name })}>
      <Group className={classes.panelHead} gap="xs" wrap="nowrap" py={6}>
        <UnstyledButton onClick={onToggle} aria-expanded={isOpen} flex={1} miw={0} mih={24}>
          <Group gap="xs" wrap="nowrap">
            <Chevron size={16} aria-hidden />
            <Text component="span" fw={500}>
              {param.label || param.name}
            </Text>
            <Text component="span" size="sm" className="quiet">
              {param.name}, {param.type ?? "text"}
              {param.required && `, ${t("parametersSection.required")}`}
            </Text>
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
        <div className={classes.panelBody}>
          <ParameterMembers param={param} nameFault={wrongName} faultAt={faultAt} onChange={onChange} />
        </div>
      )}
    </section>
  );
}
