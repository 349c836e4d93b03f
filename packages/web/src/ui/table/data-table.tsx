import { Checkbox, Table, UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { Fragment, type MouseEvent, type ReactNode } from "react";
import { withinSentence } from "../../texts/language.ts";
import { t } from "../../texts/ui.ts";
import { NotLoaded, type QueryResult } from "../state/not-loaded.tsx";
import classes from "./data-table.module.css";
import { ScrollBox } from "./scroll-box.tsx";

export interface Column<Row> {
  /** The header of the column; for `actions` only for screen readers. */
  title: string;
  cell: (row: Row) => ReactNode;
  /** `name` is bold, `short` stays on one line, `number` and `actions` are right-aligned. */
  kind?: "name" | "short" | "number" | "actions";
  /** Used as the header of the card on phones; otherwise that is the bold column, or the first. */
  isTitle?: boolean;
  /** Pixels. */
  width?: number;
  /** Of names that others chose: one long word breaks. Its table says how wide it is at least. */
  isBreakable?: boolean;
  /** What the title leaves open, on hover. */
  hint?: string;
  /** The API's sort key; without it the column can't be sorted. */
  sortBy?: string;
  /** Sorts in descending order (newest or largest first) when it is first selected. */
  sortsDownFirst?: boolean;
}

export interface Sorting {
  by: string;
  isDescending: boolean;
  onSort: (by: string, isDescending: boolean) => void;
}

export interface RowSelection<Row> {
  /** The label of the checkbox in the header, e.g. `Select all runs on this page`. */
  allLabel: string;
  /** The label of the checkbox in a row. */
  labelOf: (row: Row) => string;
  has: (id: string) => boolean;
  toggle: (row: Row) => void;
  add: (rows: readonly Row[]) => void;
  remove: (ids: readonly string[]) => void;
  /** Rows that can't be selected have no checkbox. */
  canSelect?: (row: Row) => boolean;
}

interface DataTableProps<Row> {
  /** What it lists, e.g. `Tokens`: the name of its region. */
  label: string;
  /** Entries that are `false` are left out. */
  columns: readonly (Column<Row> | false)[];
  /** Undefined: not loaded; `query` then says why. */
  rows: readonly Row[] | undefined;
  keyOf: (row: Row) => string;
  query?: QueryResult<unknown>;
  /** The number of placeholder rows while it loads. */
  loadingRows?: number;
  /** Replaces a table without rows. */
  empty?: ReactNode;
  /** Rows of the same group are shown together below its title, in their given order. */
  groupOf?: (row: Row) => string;
  sorting?: Sorting;
  selection?: RowSelection<Row>;
  /** The row that is shown beside the table. */
  isChosen?: (row: Row) => boolean;
  /** In pixels; in less space the table scrolls horizontally. On phones its rows are cards. */
  minWidth?: number;
  /** In pixels; a higher table scrolls inside its box. */
  maxHeight?: number;
  isBare?: boolean;
}

/**
 * A list of objects, one per row. On phones each row is a card: its name on top, then a line for each column; only a table with few narrow
 * columns stays a table. It keeps the ARIA roles of a table, so screen readers read the same. A click anywhere on a row opens the row's
 * link; `j`, `k` and Enter navigate through the rows (`components/keys`).
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

/** The maximum number of columns that fit on a phone. */
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

/** Elements that handle clicks themselves. */
const takesPress =
  "a, button, input, select, textarea, label, summary, [role='button'], [role='checkbox'], [role='switch'], [tabindex='0']";

/**
 * A click on a row acts like a click on its link, including modifier keys, e.g. to open a new tab. A click that ends a text selection opens
 * nothing.
 */
function openRow(event: MouseEvent<HTMLElement>): void {
  const { currentTarget: row, target } = event;
  // A menu of the row is rendered elsewhere in the page.
  if (!(target instanceof Element) || !row.contains(target) || target.closest(takesPress)?.closest("[data-row]") === row) return;
  if (window.getSelection()?.isCollapsed === false) return;
  const { ctrlKey, metaKey, shiftKey } = event;
  linkOfRow(row)?.dispatchEvent(new window.MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
}

/** The link of a row, if it has one. */
function linkOfRow(row: HTMLElement): HTMLElement | null {
  return row.querySelector<HTMLElement>("[data-row-link]");
}

interface SelectAllProps<Row> {
  rows: readonly Row[];
  selection: RowSelection<Row>;
  keyOf: (row: Row) => string;
}

/** Selects all rows of the page, or none of them. */
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
