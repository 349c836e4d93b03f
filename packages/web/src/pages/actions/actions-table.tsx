import { Checkbox, Group, Table, Text } from "@mantine/core";
import { IconChecklist, IconUserCheck } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { Action } from "../../api/queries/actions.ts";
import { ActionMark, OverdueMark } from "../../components/actions/action-mark.tsx";
import { actionWords } from "../../components/actions/vote-rule.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/actions.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import type { Selection } from "../../ui/table/use-selection.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./actions.module.css";
import { instructionsLine } from "./instructions-line.ts";

interface ActionsTableProps {
  team: string;
  actions: readonly Action[];
  selection: Selection<Action>;
  whyNot: (action: Action) => string | undefined;
  onVote: (approved: boolean, action: Action) => void;
}

/** One row an action; open ones can be decided where they stand. */
export function ActionsTable({ actions, selection, ...rest }: ActionsTableProps) {
  const open = actions.filter(({ status }) => status === "submitted");
  const chosen = open.filter(({ id }) => selection.has(id)).length;
  const toggleAll = () => (chosen === open.length ? selection.remove(open.map(({ id }) => id)) : selection.add(open));
  return (
    <Table.ScrollContainer minWidth={1040} scrollAreaProps={{ viewportProps: { tabIndex: 0, "aria-label": t("actionsTable.actions") } }}>
      <Table highlightOnHover verticalSpacing={6} horizontalSpacing="sm" className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={40}>
              <Checkbox
                size="xs"
                aria-label={t("actionsTable.selectAllOpenActions")}
                disabled={open.length === 0}
                checked={open.length > 0 && chosen === open.length}
                indeterminate={chosen > 0 && chosen < open.length}
                onChange={toggleAll}
              />
            </Table.Th>
            <Table.Th>{t("actionsTable.action")}</Table.Th>
            <Table.Th w={160}>{t("actionsTable.state")}</Table.Th>
            <Table.Th w={144}>{t("actionsTable.assigned")}</Table.Th>
            <Table.Th w={112}>{t("actionsTable.opened")}</Table.Th>
            <Table.Th w={112}>{t("actionsTable.deadline")}</Table.Th>
            <Table.Th w={216}>
              <span className="only-heard">{t("actionsTable.decide")}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {actions.map((action) => (
            <ActionRow key={action.id} action={action} selection={selection} {...rest} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function ActionRow({ team, action, selection, whyNot, onVote }: Omit<ActionsTableProps, "actions"> & { action: Action }) {
  const Icon = action.type === "manual" ? IconChecklist : IconUserCheck;
  const name = t("actionsTable.of", { taskName: action.taskName, workflowName: action.workflowName });
  return (
    <Table.Tr data-row={action.id} data-chosen={selection.has(action.id) || undefined}>
      <Table.Td>
        {action.status === "submitted" && (
          <Checkbox
            size="xs"
            aria-label={t("actionsTable.select", { name })}
            checked={selection.has(action.id)}
            onChange={() => selection.toggle(action)}
          />
        )}
      </Table.Td>
      <Table.Td>
        <Link to={paths.action(team, action.id)} className={classes.name} data-row-link>
          <Icon size={16} stroke={1.75} aria-label={action.type === "manual" ? t("actionsTable.manualTask") : t("actionsTable.approval")} />{" "}
          {action.taskName}
          <span className="quiet"> · {action.workflowName}</span>
        </Link>
        <Text size="xs" className="quiet" lineClamp={1}>
          {instructionsLine(action.instructions)}
        </Text>
      </Table.Td>
      <Table.Td>
        <Group gap={4}>
          <ActionMark action={action} />
          <OverdueMark action={action} />
        </Group>
      </Table.Td>
      <Table.Td>
        {action.approverGroupName ?? (action.approverGroupRef ? t("actionsTable.deletedGroup") : t("actionsTable.teamEditorsOwners"))}
      </Table.Td>
      <Table.Td>
        <TimeText at={action.creationDate} />
      </Table.Td>
      <Table.Td>
        <TimeText at={action.deadline} />
      </Table.Td>
      <Table.Td>{action.status === "submitted" && <RowActions action={action} whyNot={whyNot(action)} onVote={onVote} />}</Table.Td>
    </Table.Tr>
  );
}

function RowActions({ action, whyNot, onVote }: { action: Action; whyNot: string | undefined; onVote: ActionsTableProps["onVote"] }) {
  const { yes, no } = actionWords[action.type];
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <ActionButton size="compact-xs" variant="default" whyNot={whyNot} onClick={() => onVote(true, action)}>
        {yes}
      </ActionButton>
      <ActionButton size="compact-xs" variant="default" whyNot={whyNot} onClick={() => onVote(false, action)}>
        {no}
      </ActionButton>
    </Group>
  );
}
