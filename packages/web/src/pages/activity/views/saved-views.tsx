import { Button, Menu, Text } from "@mantine/core";
import { IconBookmark } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { changeRunView, deleteRunView, type RunView, runViewsQuery } from "../../../api/queries/run/run-views.ts";
import { useApiMutation } from "../../../hooks/use-renew.ts";
import { t } from "../../../texts/run/views.ts";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { type ActivityState, isFiltered, noState, toRunsFilter } from "../activity-filter.ts";
import { SaveViewDialog } from "./save-view-dialog.tsx";
import { isChanged, stateOfView, viewOfState } from "./view-state.ts";

interface SavedViewsProps {
  team: string;
  state: ActivityState;
  columns: readonly string[];
  onOpen: (state: ActivityState) => void;
}

type Asking = "save" | "rename" | "delete";

/** Saved lists, the team's and the viewer's own: open, save, rename and delete them. */
export function SavedViews({ team, state, columns, onOpen }: SavedViewsProps) {
  const views = useQuery(runViewsQuery(team)).data ?? [];
  const open = views.find(({ id }) => id === state.saved);
  const [asking, setAsking] = useState<Asking>();
  useLinkOfView(open, state, onOpen);
  const shown = viewOfState(state, columns);
  const save = useApiMutation({
    changes: ["run-views"],
    team,
    toast: () => t("savedViews.saved"),
    mutationFn: (view: RunView) => changeRunView(team, view.id, { name: view.name, scope: view.scope, ...shown }),
  });
  const remove = useApiMutation({
    changes: ["run-views"],
    team,
    toast: () => t("savedViews.deleted"),
    mutationFn: (view: RunView) => deleteRunView(team, view.id),
    onSuccess: () => onOpen({ ...state, saved: "" }),
  });
  const isOther = open !== undefined && isChanged(open, state, columns);
  return (
    <>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <Button size="xs" variant="default" style={{ flex: "none" }} leftSection={<IconBookmark size={14} aria-hidden />} maw={200}>
            {open === undefined ? t("savedViews.views") : isOther ? t("savedViews.changed", { name: open.name }) : open.name}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={480} style={{ overflowY: "auto" }}>
          <Group label={t("savedViews.ofTeam")} views={views.filter(({ scope }) => scope === "team")} {...{ open, onOpen }} />
          <Group label={t("savedViews.own")} views={views.filter(({ scope }) => scope === "own")} {...{ open, onOpen }} />
          {views.length === 0 && (
            <Text size="sm" className="quiet" p="xs">
              {t("savedViews.none")}
            </Text>
          )}
          <Menu.Divider />
          <Menu.Item onClick={() => setAsking("save")}>{t("savedViews.saveAs")}</Menu.Item>
          {open?.mayChange && isOther && (
            <Menu.Item onClick={() => save.mutate(open)}>{t("savedViews.save", { name: open.name })}</Menu.Item>
          )}
          {open?.mayChange && <Menu.Item onClick={() => setAsking("rename")}>{t("savedViews.rename", { name: open.name })}</Menu.Item>}
          {open?.mayChange && <Menu.Item onClick={() => setAsking("delete")}>{t("savedViews.delete", { name: open.name })}</Menu.Item>}
          {(open !== undefined || isFiltered(toRunsFilter(state))) && (
            <Menu.Item onClick={() => onOpen(noState)}>{t("savedViews.all")}</Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {asking === "save" && (
        <SaveViewDialog
          team={team}
          view={shown}
          onSaved={({ id }) => onOpen({ ...state, saved: id })}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking === "rename" && open && (
        <SaveViewDialog team={team} view={open} id={open.id} onSaved={() => undefined} onClose={() => setAsking(undefined)} />
      )}
      {open && (
        <ConfirmDialog
          isOpen={asking === "delete"}
          onClose={() => setAsking(undefined)}
          title={t("savedViews.deleteTitle", { name: open.name })}
          action={t("savedViews.deleteView")}
          isDangerous
          onConfirm={() => remove.mutateAsync(open)}
        >
          {t(open.scope === "team" ? "savedViews.deleteForTeam" : "savedViews.deleteForYou")}
        </ConfirmDialog>
      )}
    </>
  );
}

interface GroupProps {
  label: string;
  views: readonly RunView[];
  open: RunView | undefined;
  onOpen: (state: ActivityState) => void;
}

function Group({ label, views, open, onOpen }: GroupProps) {
  if (views.length === 0) return null;
  return (
    <>
      <Menu.Label>{label}</Menu.Label>
      {views.map((view) => (
        <Menu.Item key={view.id} onClick={() => onOpen(stateOfView(view))} {...(view.id === open?.id && { "aria-current": true, fw: 500 })}>
          {view.name}
        </Menu.Item>
      ))}
    </>
  );
}

/** If a link names only a view, shows what was saved in that view. */
function useLinkOfView(view: RunView | undefined, state: ActivityState, onOpen: (state: ActivityState) => void): void {
  const isBare = view !== undefined && JSON.stringify({ ...state, saved: "" }) === JSON.stringify({ ...noState, page: state.page });
  const [seen, setSeen] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each view in the URL
  useEffect(() => {
    if (view === undefined || seen === view.id) return;
    setSeen(view.id);
    if (isBare) onOpen(stateOfView(view));
  }, [view?.id, isBare]);
}
