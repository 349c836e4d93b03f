import { Anchor, Group, Text } from "@mantine/core";
import { IconChecklist, IconUserCheck } from "@tabler/icons-react";
import type { Action } from "../../api/queries/actions.ts";
import { ActionMark, OverdueMark } from "../../components/actions/action-mark.tsx";
import { actionWords } from "../../components/actions/vote-rule.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/actions.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { RowLink } from "../../ui/table/scroll-box.tsx";
import type { Selection } from "../../ui/table/use-selection.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./actions.module.css";

interface ActionsTableProps {
  team: string;
  actions: readonly Action[];
  selection: Selection<Action>;
  whyNot: (action: Action) => string | undefined;
  onVote: (approved: boolean, action: Action) => void;
}

/** One row per action. Open actions can be selected, and decided in their row. */
export function ActionsTable({ team, actions, selection, whyNot, onVote }: ActionsTableProps) {
  const columns: Column<Action>[] = [
    { title: t("actionsTable.action"), cell: (action) => <ActionName team={team} action={action} /> },
    {
      title: t("actionsTable.state"),
      width: 160,
      cell: (action) => (
        <Group gap={4}>
          <ActionMark action={action} />
          <OverdueMark action={action} />
        </Group>
      ),
    },
    {
      title: t("actionsTable.assigned"),
      width: 144,
      cell: ({ approverGroupName, approverGroupRef }) =>
        approverGroupName ?? (approverGroupRef ? t("actionsTable.deletedGroup") : t("actionsTable.teamEditorsOwners")),
    },
    { title: t("actionsTable.opened"), kind: "short", width: 112, cell: ({ creationDate }) => <TimeText at={creationDate} /> },
    { title: t("actionsTable.deadline"), kind: "short", width: 112, cell: ({ deadline }) => <TimeText at={deadline} /> },
    {
      title: t("actionsTable.decide"),
      kind: "actions",
      cell: (action) => isOpen(action) && <RowActions action={action} whyNot={whyNot(action)} onVote={onVote} />,
    },
  ];
  return (
    <DataTable
      label={t("actionsTable.actions")}
      minWidth={960}
      columns={columns}
      rows={actions}
      keyOf={({ id }) => id}
      selection={{
        ...selection,
        allLabel: t("actionsTable.selectAllOpenActions"),
        labelOf: ({ title, taskName, workflowName, workflowDisplayName }) =>
          t("actionsTable.select2", { taskName: title ?? taskName, workflowName: workflowDisplayName || workflowName }),
        canSelect: isOpen,
      }}
    />
  );
}

function isOpen({ status }: Action): boolean {
  return status === "submitted";
}

function ActionName({
  team,
  action: { id, type, title, taskName, workflowName, workflowDisplayName, instructions, links },
}: {
  team: string;
  action: Action;
}) {
  const Icon = type === "manual" ? IconChecklist : IconUserCheck;
  return (
    <>
      <RowLink to={paths.action(team, id)}>
        <Icon
          size={16}
          stroke={1.75}
          className={classes.icon ?? ""}
          aria-label={type === "manual" ? t("actionsTable.manualTask") : t("actionsTable.approval")}
        />{" "}
        {title ?? taskName}
        <span className={`${classes.of} quiet`}> · {workflowDisplayName || workflowName}</span>
      </RowLink>
      <Text size="xs" className="quiet" lineClamp={1}>
        {instructionsLine(instructions)}
      </Text>
      {links.length > 0 && <RowLinks links={links} />}
    </>
  );
}

const mostLinks = 3;

/** The links to read before deciding, so that the action need not be opened first. */
function RowLinks({ links }: { links: Action["links"] }) {
  return (
    <Group gap="xs">
      {links.slice(0, mostLinks).map(({ label, url }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list doesn't change
        <Anchor key={index} size="xs" href={url} target="_blank" rel="noopener noreferrer nofollow" title={url} truncate maw={240}>
          {label}
        </Anchor>
      ))}
      {links.length > mostLinks && <span className="quiet">+{links.length - mostLinks}</span>}
    </Group>
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

/** Instructions are Markdown. Returns their first line with text, without the Markdown syntax. */
export function instructionsLine(markdown: string | null | undefined): string {
  const line = (markdown ?? "").split("\n").find((one) => /[\p{L}\p{N}]/u.test(one)) ?? "";
  return line
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^\s*(#+|[-*+]|\d+\.|>)\s+/, "")
    .replace(/[*_`]+/g, "")
    .trim();
}
