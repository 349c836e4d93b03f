import { Checkbox, Table, UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { Fragment, type MouseEvent, type ReactNode } from "react";
import { withinSentence } from "../../texts/language.ts";
import { t } from "../../texts/ui.ts";
import { NotLoaded, type QueryResult } from "../state/not-loaded.tsx";
import classes from "./data-table.module.css";
import { ScrollBox } from "./scroll-box.tsx";

export interface Column<Row> {
  /** At its head; of `actions` it is only heard. */
  title: string;
  cell: (row: Row) => ReactNode;
  /** `name` is the bold one, `short` stays on one line, `number` and `actions` stand at the right. */
  kind?: "name" | "short" | "number" | "actions";
  /** On a phone it is the head of the card; without one it is the bold column, or the first. */
  isTitle?: boolean;
  /** Pixels. */
  width?: number;
  /** Of names that others chose: one long word breaks. Its table says how wide it is at least. */
  isBreakable?: boolean;
  /** What the title leaves open, on hover. */
  hint?: string;
  /** The word by which the API sorts; without it the column can't be sorted by. */
  sortBy?: string;
  /** A column that shows its newest or largest first when it is chosen. */
  sortsDownFirst?: boolean;
}

export interface Sorting {
  by: string;
  isDescending: boolean;
  onSort: (by: string, isDescending: boolean) => void;
}

export interface RowSelection<Row> {
  /** What the box at the head does, such as `Select all runs on this page`. */
  allLabel: string;
  /** Of the box in a row. */
  labelOf: (row: Row) => string;
  has: (id: string) => boolean;
  toggle: (row: Row) => void;
  add: (rows: readonly Row[]) => void;
  remove: (ids: readonly string[]) => void;
  /** Rows that can't be selected have no box. */
  canSelect?: (row: Row) => boolean;
}

interface DataTableProps<Row> {
  /** What it lists, such as `Tokens`: the name of its region. */
  label: string;
  /** Those that are `false` are left out. */
  columns: readonly (Column<Row> | false)[];
  /** undefined: not loaded; then `query` says why. */
  rows: readonly Row[] | undefined;
  keyOf: (row: Row) => string;
  query?: QueryResult<unknown>;
  /** How many rows are to come, while it loads. */
  loadingRows?: number;
  /** Instead of a table without rows. */
  empty?: ReactNode;
  /** Rows of the same group stand together below its title, in the order in which they come. */
  groupOf?: (row: Row) => string;
  sorting?: Sorting;
  selection?: RowSelection<Row>;
  /** The row that is shown beside the table. */
  isChosen?: (row: Row) => boolean;
  /** Pixels below which the table scrolls sideways; on a phone its rows are cards. */
  minWidth?: number;
  /** Pixels above which it scrolls inside of its box. */
  maxHeight?: number;
  isBare?: boolean;
}

/**
 * A list of things, one a row. Its columns are values. On a phone each row is a card: its name on top, then a line for each column; only a
 * table of few narrow columns stays one. It keeps the roles of a table, so a screen reader reads the same. A press anywhere on a row opens
 * what it leads to; `j`, `k` and Enter go through the rows (`components/keys`).
 */
export function DataTable<Row>({ rows, query, loadingRows, empty, ...rest }: DataTableProps<Row>) {
  if (rows === undefined)
    return query === undefined ? null : (
      <NotLoaded
        query={query}
        label={t("dataTable.loading", { toLowerCase: withinSentence(rest.label) })}
        {...(loadingRows !== undefined && { rows: loadingRows })}
      />
    );
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  return <Grid rows={rows} {...rest} />;
}

type GridProps<Row> = Omit<DataTableProps<Row>, "rows" | "query" | "empty" | "loadingRows"> & { rows: readonly Row[] };

function Grid<Row>({ label, minWidth, maxHeight, isBare = false, columns, rows, ...rest }: GridProps<Row>) {
  const shown = columns.filter((column) => column !== false);
  const { groupOf, sorting, selection } = rest;
  const isCards = minWidth !== undefined || shown.length > fewColumns;
  const groups = groupOf === undefined ? [[undefined, rows] as const] : inGroups(rows, groupOf);
  return (
    <ScrollBox label={label} maxHeight={maxHeight} isBare={isBare}>
      <Table
        className={classes.table}
        verticalSpacing={6}
        horizontalSpacing="sm"
        fz="sm"
        highlightOnHover
        role="table"
        data-cards={isCards ? (isBare ? "bare" : "framed") : undefined}
        {...(minWidth && { style: { "--table-min-width": `${minWidth}px` } })}
      >
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {selection && <SelectAll rows={rows} selection={selection} keyOf={rest.keyOf} />}
            {shown.map((column) => (
              <Head key={column.title} column={column} sorting={sorting} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {groups.map(([group, members]) => (
            <Fragment key={group ?? ""}>
              {group !== undefined && (
                <Table.Tr className={classes.group} role="row">
                  <Table.Th colSpan={shown.length + (selection ? 1 : 0)} scope="colgroup" role="columnheader">
                    {group}
                  </Table.Th>
                </Table.Tr>
              )}
              {members.map((row) => (
                <BodyRow key={rest.keyOf(row)} row={row} columns={shown} {...rest} />
              ))}
            </Fragment>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

/** So many fit on a phone. */
const fewColumns = 3;

function inGroups<Row>(rows: readonly Row[], groupOf: (row: Row) => string): [string, Row[]][] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(groupOf(row), [...(groups.get(groupOf(row)) ?? []), row]);
  return [...groups];
}

function Head<Row>({ column: { title, kind, width, hint, sortBy, sortsDownFirst = false }, sorting }: HeadProps<Row>) {
  const cell = { role: "columnheader", "data-kind": kind, w: width, title: hint };
  if (sorting === undefined || sortBy === undefined)
    return <Table.Th {...cell}>{kind === "actions" ? <span className="only-heard">{title}</span> : title}</Table.Th>;
  const { by, isDescending, onSort } = sorting;
  const isChosen = by === sortBy;
  const Arrow = isDescending ? IconArrowDown : IconArrowUp;
  return (
    <Table.Th {...cell} data-sorts aria-sort={isChosen ? (isDescending ? "descending" : "ascending") : "none"}>
      <UnstyledButton
        fz="inherit"
        fw="inherit"
        className={classes.sort}
        onClick={() => onSort(sortBy, isChosen ? !isDescending : sortsDownFirst)}
      >
        {title}
        {isChosen && <Arrow size={14} aria-hidden />}
      </UnstyledButton>
    </Table.Th>
  );
}

interface HeadProps<Row> {
  column: Column<Row>;
  sorting: Sorting | undefined;
}

type BodyRowProps<Row> = Pick<DataTableProps<Row>, "keyOf" | "selection" | "isChosen"> & { row: Row; columns: readonly Column<Row>[] };

function BodyRow<Row>({ row, columns, keyOf, selection, isChosen }: BodyRowProps<Row>) {
  const id = keyOf(row);
  const isSelected = selection?.has(id) ?? false;
  const title = columns.find(({ isTitle }) => isTitle) ?? columns.find(({ kind }) => kind === "name") ?? columns[0];
  return (
    <Table.Tr role="row" data-row={id} data-chosen={isSelected || isChosen?.(row) || undefined} onClick={openRow}>
      {selection && (
        <Table.Td role="cell" data-kind="short" data-card="select">
          {(selection.canSelect?.(row) ?? true) && (
            <Checkbox size="xs" aria-label={selection.labelOf(row)} checked={isSelected} onChange={() => selection.toggle(row)} />
          )}
        </Table.Td>
      )}
      {columns.map((column) => (
        <Table.Td
          key={column.title}
          role="cell"
          data-kind={column.kind}
          data-card={column === title ? "title" : undefined}
          data-label={column.title}
          {...(column.isBreakable && { className: classes.breakable })}
        >
          {column.cell(row)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

/** What takes a press itself. */
const takesPress =
  "a, button, input, select, textarea, label, summary, [role='button'], [role='checkbox'], [role='switch'], [tabindex='0']";

/** A press on a row is one on its link, with the same keys held: in a new tab, too. One that ends a selection of text opens nothing. */
function openRow(event: MouseEvent<HTMLElement>): void {
  const { currentTarget: row, target } = event;
  // What a menu of the row shows stands elsewhere in the page.
  if (!(target instanceof Element) || !row.contains(target) || target.closest(takesPress)?.closest("[data-row]") === row) return;
  if (window.getSelection()?.isCollapsed === false) return;
  const { ctrlKey, metaKey, shiftKey } = event;
  linkOfRow(row)?.dispatchEvent(new window.MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
}

/** What a row leads to; rows that lead nowhere have none. */
function linkOfRow(row: HTMLElement): HTMLElement | null {
  return row.querySelector<HTMLElement>("[data-row-link]");
}

interface SelectAllProps<Row> {
  rows: readonly Row[];
  selection: RowSelection<Row>;
  keyOf: (row: Row) => string;
}

/** All rows of the page, or none of them. */
function SelectAll<Row>({ rows, selection, keyOf }: SelectAllProps<Row>) {
  const possible = rows.filter((row) => selection.canSelect?.(row) ?? true);
  const count = possible.filter((row) => selection.has(keyOf(row))).length;
  const isAll = possible.length > 0 && count === possible.length;
  return (
    <Table.Th className={classes.allHead} role="columnheader" data-sorts>
      <Checkbox
        size="xs"
        aria-label={selection.allLabel}
        disabled={possible.length === 0}
        checked={isAll}
        indeterminate={count > 0 && !isAll}
        onChange={() => (isAll ? selection.remove(possible.map(keyOf)) : selection.add(possible))}
      />
      <span className={classes.all} aria-hidden>
        {selection.allLabel}
      </span>
    </Table.Th>
  );
}
