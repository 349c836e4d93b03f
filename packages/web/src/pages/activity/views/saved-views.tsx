import { Button, Menu, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconBookmark } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { messageOf } from "../../../api/api-error.ts";
import {
  changeRunView,
  deleteRunView,
  type RunView,
  removeDefaultRunView,
  runViewsQuery,
  setDefaultRunView,
} from "../../../api/queries/run/run-views.ts";
import { useApiMutation } from "../../../hooks/use-renew.ts";
import { paths } from "../../../paths.ts";
import { t } from "../../../texts/run/views.ts";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { type ActivityState, isFiltered, toRunsFilter } from "../activity-filter.ts";
import { SaveViewDialog } from "./save-view-dialog.tsx";
import classes from "./saved-views.module.css";
import { allRuns, isBare, isChanged, stateOfView, viewOfState } from "./view-state.ts";

/** @param options.replace for what the page does by itself: Back leads to the page before */
type OpenView = (state: ActivityState, options?: { replace: boolean }) => void;

interface SavedViewsProps {
  team: string;
  state: ActivityState;
  columns: readonly string[];
  onOpen: OpenView;
}

type Asking = "save" | "rename" | "delete";

/** Saved lists, the team's and the viewer's own: open, save, rename, share and delete them, and choose one to begin with. */
export function SavedViews({ team, state, columns, onOpen }: SavedViewsProps) {
  const query = useQuery(runViewsQuery(team));
  const views = query.data ?? [];
  const open = views.find(({ id }) => id === state.saved);
  const [asking, setAsking] = useState<Asking>();
  useViewOfAddress(team, query.data, state, onOpen);
  const shown = viewOfState(state, columns);
  const isOther = open !== undefined && isChanged(open, state, columns);
  return (
    <>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconBookmark size={14} aria-hidden />}
            classNames={{ root: classes.button ?? "", label: classes.label ?? "" }}
            {...(open && { title: open.name })}
          >
            <span className={classes.name}>{open?.name ?? t("savedViews.views")}</span>
            {isOther && <span className={classes.changed}>{t("savedViews.changed")}</span>}
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={classes.dropdown ?? ""}>
          <Group label={t("savedViews.ofTeam")} views={views.filter(({ scope }) => scope === "team")} {...{ open, onOpen }} />
          <Group label={t("savedViews.own")} views={views.filter(({ scope }) => scope === "own")} {...{ open, onOpen }} />
          {views.length === 0 && (
            <Text size="sm" className="quiet" p="xs">
              {t("savedViews.none")}
            </Text>
          )}
          <Menu.Divider />
          <Menu.Item onClick={() => setAsking("save")}>{t("savedViews.saveAs")}</Menu.Item>
          {(open !== undefined || isFiltered(toRunsFilter(state))) && (
            <Menu.Item onClick={() => onOpen(allRuns)}>{t("savedViews.all")}</Menu.Item>
          )}
          {open && <OpenViewItems {...{ team, open, shown, isOther }} onAsk={setAsking} />}
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
        <DeleteDialog
          {...{ team, open }}
          isOpen={asking === "delete"}
          onDeleted={() => onOpen({ ...state, saved: allRuns.saved })}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  );
}

interface OpenViewItemsProps {
  team: string;
  open: RunView;
  /** The current list, as a view to save. */
  shown: ReturnType<typeof viewOfState>;
  isOther: boolean;
  onAsk: (asking: Asking) => void;
}

/** What can be done with the view that is open. */
function OpenViewItems({ team, open, shown, isOther, onAsk }: OpenViewItemsProps) {
  const changing = {
    changes: ["run-views"] as const,
    team,
    // Another tab or member may have deleted it.
    evenRefused: true,
    onError: (error: Error) =>
      notifications.show({ color: "red", title: t("savedViews.failed"), message: messageOf(error), autoClose: 10_000 }),
  };
  const save = useApiMutation({
    ...changing,
    toast: () => t("savedViews.saved"),
    mutationFn: () => changeRunView(team, open.id, { name: open.name, scope: open.scope, ...shown }),
  });
  const setDefault = useApiMutation({
    ...changing,
    toast: (_, isDefault: boolean) => t(isDefault ? "savedViews.isDefault" : "savedViews.isNoDefault"),
    mutationFn: (isDefault: boolean) => (isDefault ? setDefaultRunView(team, open.id) : removeDefaultRunView(team, open.id)),
  });
  return (
    <>
      <Menu.Divider />
      <Menu.Label className={classes.title ?? ""} title={open.name}>
        {open.name}
      </Menu.Label>
      {open.mayChange && isOther && <Menu.Item onClick={() => save.mutate()}>{t("savedViews.save")}</Menu.Item>}
      <Menu.Item onClick={() => setDefault.mutate(!open.isDefault)}>
        {t(open.isDefault ? "savedViews.unsetDefault" : "savedViews.setDefault")}
      </Menu.Item>
      {open.mayChange && <Menu.Item onClick={() => onAsk("rename")}>{t("savedViews.rename")}</Menu.Item>}
      {open.mayChange && <Menu.Item onClick={() => onAsk("delete")}>{t("savedViews.delete")}</Menu.Item>}
    </>
  );
}

interface DeleteDialogProps {
  team: string;
  open: RunView;
  isOpen: boolean;
  onDeleted: () => void;
  onClose: () => void;
}

function DeleteDialog({ team, open, isOpen, onDeleted, onClose }: DeleteDialogProps) {
  const remove = useApiMutation({
    changes: ["run-views"],
    team,
    toast: () => t("savedViews.deleted"),
    mutationFn: () => deleteRunView(team, open.id),
    onSuccess: onDeleted,
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t("savedViews.deleteTitle", { name: open.name })}
      action={t("savedViews.deleteView")}
      isDangerous
      onConfirm={() => remove.mutateAsync()}
    >
      {t(open.scope === "team" ? "savedViews.deleteForTeam" : "savedViews.deleteForYou")}
    </ConfirmDialog>
  );
}

interface GroupProps {
  label: string;
  views: readonly RunView[];
  open: RunView | undefined;
  onOpen: OpenView;
}

function Group({ label, views, open, onOpen }: GroupProps) {
  if (views.length === 0) return null;
  return (
    <>
      <Menu.Label>{label}</Menu.Label>
      {views.map((view) => (
        <Menu.Item
          key={view.id}
          className={classes.item ?? ""}
          onClick={() => onOpen(stateOfView(view))}
          {...(view.id === open?.id && { "aria-current": true, fw: 500 })}
        >
          {view.isDefault ? t("savedViews.default", { name: view.name }) : view.name}
        </Menu.Item>
      ))}
    </>
  );
}

/** If the address names only a view, shows what was saved in it; if it says nothing at all, the viewer's default view. */
function useViewOfAddress(team: string, views: readonly RunView[] | undefined, state: ActivityState, onOpen: OpenView): void {
  // While the next page loads, this one is still there and reads the address of that page.
  const isHere = useLocation().pathname === paths.activity(team);
  const wanted = isHere && isBare({ ...state, saved: "" }) ? state.saved : undefined;
  const isLoaded = views !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each such address, not when the default changes
  useEffect(() => {
    const view = wanted !== undefined && views?.find(({ id, isDefault }) => (wanted === "" ? isDefault : id === wanted));
    if (view) onOpen(stateOfView(view), { replace: true });
  }, [wanted, isLoaded]);
}
