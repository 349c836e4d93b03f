import { ActionIcon, Button, Group, Text, UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconChevronDown, IconChevronRight, IconPlus, IconTrash } from "@tabler/icons-react";
import { type ReactNode, useId, useState } from "react";
import { moved } from "../../forms/list-edits.ts";
import type { Param } from "../../forms/parameter-values.ts";
import { t } from "../../texts/workflow/request.ts";
import type { NodeParam } from "../form/node-params.ts";
import { ParameterField } from "../form/parameter-field.tsx";
import type { Offer } from "../form/references.ts";
import classes from "./request.module.css";
import { freshFieldName, type RequestList as ListName, type Row, rowsOf } from "./request-rows.ts";
import { AttachmentMembers, FieldMembers, LinkMembers, type MembersProps } from "./row-members.tsx";

interface RequestListProps {
  /** The declaration of the parameter that contains the list. */
  param: Param;
  given: NodeParam | undefined;
  available: readonly Offer[];
  /** The names of the tasks that finish before this one starts. */
  upstream: readonly string[];
  onChange: (name: string, value: unknown) => void;
}

/**
 * The fields, links or attachments of an approval as rows that can be added, edited, reordered and removed. What the form can't show, e.g.
 * a reference to a whole list, is edited as text; text is possible for every list.
 */
export function RequestList({ param, given, available, upstream, onChange }: RequestListProps) {
  const name = param.name as ListName;
  const rows = rowsOf(given?.value ?? param.default);
  const [isText, setText] = useState(false);
  const [open, setOpen] = useState<number>();
  const id = useId();
  const switchTo = (
    <Button size="compact-xs" variant="subtle" disabled={rows === undefined} onClick={() => setText(!isText)}>
      {t(isText || rows === undefined ? "requestList.asForm" : "requestList.asJson")}
    </Button>
  );
  if (isText || rows === undefined)
    return (
      <div>
        <ParameterField param={param} given={given} available={available} onChange={onChange} />
        {switchTo}
      </div>
    );
  const put = (next: readonly Row[]) => onChange(param.name, next.length === 0 ? undefined : next);
  const add = () => {
    put([...rows, name === "fields" ? { name: freshFieldName(rows), type: "text" } : {}]);
    setOpen(rows.length);
  };
  const move = (index: number, by: -1 | 1) => {
    put(moved(rows, index, by));
    if (open === index) setOpen(index + by);
    else if (open === index + by) setOpen(index);
  };
  const remove = (index: number) => {
    put(rows.filter((_, at) => at !== index));
    setOpen(open === undefined || open === index ? undefined : open - (open > index ? 1 : 0));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div role="group" aria-labelledby={id}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text id={id} size="sm" fw={500}>
          {param.label || param.name}
        </Text>
        {switchTo}
      </Group>
      <Text size="xs" className="quiet">
        {param.helpertext}
      </Text>
      {rows.map((row, index) => (
        <RowEditor
          // biome-ignore lint/suspicious/noArrayIndexKey: a row has no name of its own, and its fields are controlled
          key={index}
          title={titleOf(name, row)}
          detail={name === "fields" ? fieldDetail(row) : undefined}
          isOpen={open === index}
          onToggle={() => setOpen(open === index ? undefined : index)}
          onUp={index > 0 ? () => move(index, -1) : undefined}
          onDown={index < rows.length - 1 ? () => move(index, 1) : undefined}
          onRemove={() => remove(index)}
        >
          <Members
            list={name}
            place={`${name}/${index}`}
            row={row}
            others={rows.filter((_, at) => at !== index)}
            available={available}
            upstream={upstream}
            onChange={(next) => put(rows.map((old, at) => (at === index ? next : old)))}
          />
        </RowEditor>
      ))}
      <Button mt={6} size="compact-sm" variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
        {t(`requestAdd.${name}`)}
      </Button>
    </div>
  );
}

function Members({ list, ...props }: MembersProps & { list: ListName }) {
  if (list === "fields") return <FieldMembers {...props} />;
  return list === "links" ? <LinkMembers {...props} /> : <AttachmentMembers {...props} />;
}

const textIn = (row: Row, member: string) => (typeof row[member] === "string" ? row[member] : "");

function titleOf(list: ListName, row: Row): string {
  const words = ["label", "name", "url", "log"].map((member) => textIn(row, member));
  return words.find((word) => word !== "") ?? t(`requestNew.${list}`);
}

/** The name of a field that has a label, and whether it is required. */
function fieldDetail(row: Row): string {
  const name = textIn(row, "label") === "" ? [] : [textIn(row, "name")];
  return [...name, ...(row["required"] === true ? [t("requestList.required")] : [])].join(", ");
}

interface RowEditorProps {
  title: string;
  detail: string | undefined;
  isOpen: boolean;
  onToggle: () => void;
  onUp: (() => void) | undefined;
  onDown: (() => void) | undefined;
  onRemove: () => void;
  children: ReactNode;
}

function RowEditor({ title, detail, isOpen, onToggle, onUp, onDown, onRemove, children }: RowEditorProps) {
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  const button = (label: string, Icon: typeof IconArrowUp, onClick: (() => void) | undefined) => (
    <ActionIcon variant="subtle" color="gray" aria-label={label} disabled={!onClick} onClick={onClick}>
      <Icon size={16} />
    </ActionIcon>
  );
  return (
    <section className={classes.row} aria-label={title}>
      <div className={classes.head}>
        <UnstyledButton className={classes.title ?? ""} onClick={onToggle} aria-expanded={isOpen}>
          <Chevron size={16} aria-hidden />
          <span className={classes.name}>{title}</span>
          {detail && <span className={`${classes.detail} quiet`}>{detail}</span>}
        </UnstyledButton>
        {button(t("requestList.up", { title }), IconArrowUp, onUp)}
        {button(t("requestList.down", { title }), IconArrowDown, onDown)}
        {button(t("requestList.remove", { title }), IconTrash, onRemove)}
      </div>
      {isOpen && <div className={classes.members}>{children}</div>}
    </section>
  );
}
