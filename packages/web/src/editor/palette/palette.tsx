import { ScrollArea, Text, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, memo, useMemo, useState } from "react";
import type { TaskDefinition } from "../../api/queries/task/task-catalog.ts";
import { TaskIcon } from "../../graph/task-icon.tsx";
import { t } from "../../texts/workflow/designer.ts";
import { LoadingState } from "../../ui/state/not-loaded.tsx";
import classes from "./palette.module.css";
import { draggedTask, groupTasks, paletteTasks } from "./palette-groups.ts";

interface PaletteProps {
  /** @param isFilledIn whether the user goes on with the form of the new task */
  onAdd: (definition: TaskDefinition, isFilledIn: boolean) => void;
  /** The search has the focus: a task will be added. */
  onSearch?: () => void;
  /** Undefined while it loads. */
  catalog: ReadonlyMap<string, TaskDefinition> | undefined;
}

/**
 * The tasks that can be added: by dragging, by clicking, or by pressing Enter, in the search for the first match. The arrow keys go through
 * the matches, so that Tab leaves them at once. With Shift, the focus stays here, to add several tasks.
 */
export const Palette = memo(function Palette({ onAdd, onSearch, catalog }: PaletteProps) {
  const [search, setSearch] = useState("");
  const groups = useMemo(() => groupTasks(paletteTasks(catalog), search), [catalog, search]);
  const first = groups[0]?.tasks[0];
  const add = (task: TaskDefinition, isFilledIn: boolean) => {
    // A field takes the focus only if no other one has it.
    if (isFilledIn) (document.activeElement as HTMLElement | null)?.blur();
    onAdd(task, isFilledIn);
  };
  return (
    <section className={classes.palette} aria-label={t("palette.tasksAdd")} onKeyDown={stepThrough}>
      <TextInput
        className={classes.search ?? ""}
        size="xs"
        aria-label={t("palette.searchTasks")}
        placeholder={t("palette.searchTasks")}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={search}
        data-palette-search
        onChange={(event) => setSearch(event.currentTarget.value)}
        // What is typed next is another search.
        onFocus={(event) => {
          event.currentTarget.select();
          onSearch?.();
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !first) return;
          // Otherwise the rest of the key press goes to what gets the focus.
          event.preventDefault();
          event.currentTarget.select();
          add(first, !event.shiftKey);
        }}
      />
      {catalog === undefined && <LoadingState label={t("palette.loadingTasks")} />}
      <ScrollArea className={classes.list ?? ""} type="auto" viewportProps={{ tabIndex: -1 }}>
        {catalog !== undefined && groups.length === 0 && (
          <Text size="sm" className="quiet" p="sm">
            {t("palette.noMatchingTasks")}
          </Text>
        )}
        {groups.map(({ category, tasks }) => (
          <div key={category} className={classes.group}>
            <h2 className={classes.category}>{category}</h2>
            {tasks.map((task) => (
              <button
                key={task.name}
                type="button"
                className={classes.task}
                draggable
                onDragStart={(event) => event.dataTransfer.setData(draggedTask, task.name ?? "")}
                tabIndex={task === first ? 0 : -1}
                data-palette-task
                onClick={({ detail, shiftKey }) => add(task, !shiftKey && (detail === 0 || window.matchMedia("(pointer: fine)").matches))}
                title={task.description ?? ""}
              >
                <TaskIcon type={task.type} icon={task.icon} />
                <span className={classes.name}>
                  <span className="only-heard">{t("palette.add")} </span>
                  {task.displayName ?? task.name}
                </span>
                {task.isOfTeam && <span className={classes.own}>{t("palette.team")}</span>}
              </button>
            ))}
          </div>
        ))}
      </ScrollArea>
    </section>
  );
});

/** Moves the focus down from the search through the tasks, and up again. */
function stepThrough(event: KeyboardEvent<HTMLElement>): void {
  const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (by === 0) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-palette-search], [data-palette-task]")];
  stops[stops.indexOf(document.activeElement as HTMLElement) + by]?.focus();
  event.preventDefault();
}
