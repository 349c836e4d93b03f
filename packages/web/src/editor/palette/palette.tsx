import { ScrollArea, Text, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { memo, useMemo, useState } from "react";
import type { TaskDefinition } from "../../api/queries/task/task-catalog.ts";
import { TaskIcon } from "../../graph/task-icon.tsx";
import { t } from "../../texts/workflow/designer.ts";
import { LoadingState } from "../../ui/state/not-loaded.tsx";
import classes from "./palette.module.css";
import { draggedTask, groupTasks, paletteTasks } from "./palette-groups.ts";

interface PaletteProps {
  /** @param isPressed whether it was clicked with a mouse, not added by keyboard or touch */
  onAdd: (definition: TaskDefinition, isPressed: boolean) => void;
  /** Undefined while it loads. */
  catalog: ReadonlyMap<string, TaskDefinition> | undefined;
}

/** The tasks that can be added: by dragging, by clicking, or by pressing Enter in the search, which adds the first match. */
export const Palette = memo(function Palette({ onAdd, catalog }: PaletteProps) {
  const [search, setSearch] = useState("");
  const groups = useMemo(() => groupTasks(paletteTasks(catalog), search), [catalog, search]);
  const first = groups[0]?.tasks[0];
  return (
    <section className={classes.palette} aria-label={t("palette.tasksAdd")}>
      <TextInput
        className={classes.search ?? ""}
        size="xs"
        aria-label={t("palette.searchTasks")}
        placeholder={t("palette.searchTasks")}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={search}
        data-palette-search
        onChange={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && first) onAdd(first, false);
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
                onClick={({ detail }) => onAdd(task, detail > 0 && window.matchMedia("(pointer: fine)").matches)}
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
