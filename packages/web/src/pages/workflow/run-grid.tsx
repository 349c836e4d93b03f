import type { Status, WaitKind } from "@millrace/contract/status.ts";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, type MouseEvent, useEffect, useMemo, useRef, useState } from "react";
import type { WorkflowOverview } from "../../api/queries/workflow/workflow-overview.ts";
import { shortId } from "../../components/run-words.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/workflow/workflow-overview.ts";
import { statusLook, statusSign } from "../../ui/mark/status-mark.tsx";
import { durationText, relativeTime } from "../../ui/time/time-format.ts";
import { type GridPlace, moveInGrid } from "./grid-moves.ts";
import classes from "./run-grid.module.css";

type Run = WorkflowOverview["runs"][number];
type Cell = Run["tasks"][number];

interface RunGridProps {
  team: string;
  tasks: WorkflowOverview["tasks"];
  /** Newest first, in the order of the service. */
  runs: readonly Run[];
}

/** The content of a cell of the grid, and its link. */
interface Place {
  words: string;
  why: string | undefined;
  look: { tone: string; sign: string };
  /** The duration as a share of the longest in its row. */
  share: number;
  run: Run;
  taskRun: string | undefined;
}

/**
 * The last runs by task, newest at the right: what failed, and how long each task took. Only one cell is in the tab order; arrow keys move
 * through the others. The many links share their event handlers.
 */
export function RunGrid({ team, tasks, runs }: RunGridProps) {
  const rows = useMemo(() => placesOf(tasks, runs), [tasks, runs]);
  const [active, setActive] = useState<GridPlace>({ row: 0, column: runs.length - 1 });
  const [told, setTold] = useState<{ place: Place; left: number; top: number }>();
  const box = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const shown = { row: Math.min(active.row, rows.length - 1), column: Math.min(active.column, runs.length - 1) };
  useEffect(() => {
    if (box.current) box.current.scrollLeft = box.current.scrollWidth;
  }, []);
  const tell = ({ target }: { target: EventTarget }) => {
    const found = placeAt(target);
    const place = found && rows[found.row]?.[found.column];
    if (!place || !box.current) return setTold(undefined);
    const [at, around] = [(target as Element).closest("[data-place]")!.getBoundingClientRect(), box.current.getBoundingClientRect()];
    setTold({ place, left: Math.max(8, Math.min(at.left - around.left, around.width - 288)), top: at.bottom - around.top + 4 });
  };
  const enter = (event: { target: EventTarget }) => {
    const found = placeAt(event.target);
    if (found) setActive(found);
    tell(event);
  };
  const move = (event: KeyboardEvent) => {
    if (event.key === "Escape") return setTold(undefined);
    const next = moveInGrid(event.key, event.ctrlKey, shown, { rows: rows.length, columns: runs.length });
    if (next === undefined || event.altKey || event.metaKey) return;
    event.preventDefault();
    setActive(next);
    box.current?.querySelector<HTMLElement>(`[data-place="${next.row} ${next.column}"]`)?.focus();
  };
  const open = (event: MouseEvent) => {
    const found = placeAt(event.target);
    const place = found && rows[found.row]?.[found.column];
    if (!place || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void navigate({ to: paths.run(team, place.run.id), search: searchOf(place) });
  };
  return (
    <div className={classes.frame}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only shows the labels of its links */}
      <div
        ref={box}
        className={classes.box}
        onMouseOver={tell}
        onMouseLeave={() => setTold(undefined)}
        onFocus={enter}
        onBlur={() => setTold(undefined)}
      >
        {/* biome-ignore lint/a11y/useSemanticElements: the cells of a table can't be navigated by arrow keys */}
        <div
          role="grid"
          aria-label={t("runGrid.label")}
          aria-rowcount={rows.length}
          aria-colcount={runs.length + 1}
          className={classes.grid}
          onKeyDown={move}
          onClick={open}
          tabIndex={-1}
        >
          {rows.map((row, number) => (
            <GridRow
              key={tasks[number - 1]?.name ?? ""}
              name={tasks[number - 1]?.name}
              row={row}
              number={number}
              team={team}
              active={shown.row === number ? shown.column : undefined}
            />
          ))}
        </div>
      </div>
      {told && (
        <div className={classes.bubble} style={{ left: told.left, top: told.top }} aria-hidden>
          <strong>{told.place.words}</strong>
          {told.place.why !== undefined && <span>{told.place.why}</span>}
        </div>
      )}
    </div>
  );
}

interface GridRowProps {
  /** The name of the task; undefined: the row of the runs. */
  name: string | undefined;
  row: readonly (Place | undefined)[];
  number: number;
  team: string;
  active: number | undefined;
}

function GridRow({ name, row, number, team, active }: GridRowProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    // biome-ignore lint/a11y/useFocusableInteractive: its cells are focusable
    <div role="row" className={classes.row} data-runs={name === undefined || undefined}>
      {/* biome-ignore lint/a11y/useSemanticElements: see the grid */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: it isn't interactive */}
      <div role="rowheader" className={classes.name} title={name}>
        {name ?? t("runGrid.run")}
      </div>
      {row.map((place, column) => (
        // biome-ignore lint/a11y/useSemanticElements: see the grid
        // biome-ignore lint/a11y/useFocusableInteractive: the link in it is focusable
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is a run
        <div role="gridcell" key={column} className={classes.cell}>
          {place ? (
            <a
              href={hrefOf(team, place)}
              data-place={`${number} ${column}`}
              data-tone={place.look.tone}
              className={name === undefined ? classes.bar : classes.mark}
              aria-label={[place.words, place.why].filter(Boolean).join(". ")}
              tabIndex={active === column ? 0 : -1}
              style={{ "--share": place.share } as React.CSSProperties}
            >
              {place.look.sign}
            </a>
          ) : (
            <span data-place={`${number} ${column}`} className={classes.none} tabIndex={active === column ? 0 : -1}>
              <span className="only-heard">–</span>
            </span>
          )}
        </div>
      ))}
    </div>
  );
}

function placeAt(target: EventTarget): GridPlace | undefined {
  const [row, column] = ((target as Element).closest("[data-place]")?.getAttribute("data-place") ?? "").split(" ").map(Number);
  return row === undefined || column === undefined ? undefined : { row, column };
}

const searchOf = ({ taskRun }: Place): Record<string, string> => (taskRun === undefined ? {} : { task: taskRun, tab: "log" });

function hrefOf(team: string, place: Place): string {
  const search = new URLSearchParams(searchOf(place)).toString();
  return `${paths.run(team, place.run.id)}${search && `?${search}`}`;
}

function placesOf(tasks: WorkflowOverview["tasks"], runs: readonly Run[]): (Place | undefined)[][] {
  const columns = runs.toReversed();
  const longest = Math.max(1, ...columns.map(({ duration }) => duration));
  const now = Date.now();
  const cells = columns.map((run) => new Map(run.tasks.map((cell) => [cell.task, cell])));
  const ofRuns = columns.map((run) => placeOfRun(run, run.duration / longest, now));
  const ofTasks = tasks.map(({ name }) => {
    const most = Math.max(1, ...cells.map((of) => of.get(name)?.duration ?? 0));
    return columns.map((run, column) => {
      const cell = cells[column]?.get(name);
      return cell && placeOfTask(run, cell, cell.duration / most);
    });
  });
  return [ofRuns, ...ofTasks];
}

function placeOfRun(run: Run, share: number, now: number): Place {
  const look = [run.status, run.phase, run.waitKinds] as const;
  const words = { run: shortId(run.id), status: statusLook(...look).word, created: relativeTime(run.creationDate, now) };
  return {
    words: run.duration > 0 ? t("runGrid.runCellTook", { ...words, duration: durationText(run.duration) }) : t("runGrid.runCell", words),
    why: run.status === "succeeded" ? undefined : run.reason,
    look: { tone: statusLook(...look).tone, sign: signOf(...look) },
    share,
    run,
    taskRun: undefined,
  };
}

function placeOfTask(run: Run, cell: Cell, share: number): Place {
  const look = lookOf(cell);
  const words = { task: cell.task, run: shortId(run.id), status: statusLook(...look).word };
  return {
    words: cell.duration > 0 ? t("runGrid.cellTook", { ...words, duration: durationText(cell.duration) }) : t("runGrid.cell", words),
    why: cell.reason,
    look: { tone: statusLook(...look).tone, sign: signOf(...look) },
    share,
    run,
    taskRun: cell.id,
  };
}

/** The hourglass used in the browser tab is missing in many fonts. */
function signOf(...look: Parameters<typeof statusSign>): string {
  return statusLook(...look).tone === "waiting" ? "…" : statusSign(...look);
}

/** A waiting task shows what it waits for, as its run does. */
function lookOf({ status, waitKind }: Cell): [Status, undefined, WaitKind[]] {
  return status === "waiting" && waitKind !== undefined ? ["running", undefined, [waitKind as WaitKind]] : [status, undefined, []];
}
