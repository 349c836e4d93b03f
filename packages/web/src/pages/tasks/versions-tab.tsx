import { Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { saveTask, type TaskScope, taskChangesQuery, taskQuery } from "../../api/queries/task/tasks.ts";
import { VersionTable } from "../../components/version-table.tsx";
import { useRenew } from "../../hooks/use-renew.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { t } from "../../texts/task/tasks.ts";
import { TextDiff } from "../../ui/code/code-editor.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { numbered } from "./editor/saved-text.ts";
import type { StoredTask } from "./editor/use-task-base.ts";
import classes from "./tasks.module.css";

interface VersionsTabProps {
  scope: TaskScope;
  name: string;
  stored: StoredTask;
  whyNot: string | undefined;
  isDirty: boolean;
}

/** Who changed the task, when and why, and the differences to the previous or the latest version. */
export function VersionsTab({ scope, name, stored, whyNot, isDirty }: VersionsTabProps) {
  const query = useQuery(taskChangesQuery(scope, name));
  const { data } = query;
  const latest = stored.task.version;
  const [{ version }, change] = useSearchState({ version: latest });
  const [restoring, setRestoring] = useState<number>();
  if (data === undefined) return <NotLoaded query={query} label={t("versionsTab.loadingVersions")} />;
  const why = whyNot ?? (isDirty ? t("versionsTab.saveDiscardChangesFirst") : undefined);
  return (
    <div className={classes.split}>
      <VersionTable
        versions={data}
        chosen={Number(version)}
        latest={latest}
        whyNot={why}
        onShow={(chosen) => change({ version: chosen })}
        onRestore={setRestoring}
      />
      <VersionDiff
        scope={scope}
        name={name}
        version={Number(version)}
        before={data.find((one) => one.version < Number(version))?.version}
      />
      <RestoreDialog scope={scope} name={name} stored={stored} version={restoring} onClose={() => setRestoring(undefined)} />
    </div>
  );
}

interface VersionDiffProps {
  scope: TaskScope;
  name: string;
  version: number;
  /** The previous version; undefined for the first one. */
  before: number | undefined;
}

function VersionDiff({ scope, name, version, before }: VersionDiffProps) {
  const after = useQuery(taskQuery(scope, name, version));
  const former = useQuery({ ...taskQuery(scope, name, before), enabled: before !== undefined });
  if (after.data === undefined || (before !== undefined && former.data === undefined))
    return <NotLoaded query={{ data: undefined, error: after.error ?? former.error }} label={t("versionsTab.loadingVersion")} />;
  return (
    <section aria-label={t("versionsTab.version", { version: String(version) })} className={classes.beside}>
      <Text fw={500} mb={4}>
        {before === undefined
          ? t("versionsTab.versionFirst", { version: String(version) })
          : t("versionsTab.versionComparedVersion", { version: String(version), before: String(before) })}
      </Text>
      <TextDiff
        key={`${version} ${before}`}
        label={t("versionsTab.version", { version: String(version) })}
        before={numbered((former.data ?? after.data).text, version)}
        after={after.data.text}
        language="yaml"
      />
    </section>
  );
}

interface RestoreDialogProps {
  scope: TaskScope;
  name: string;
  stored: StoredTask;
  version: number | undefined;
  onClose: () => void;
}

/** Saves an old version as the newest; the other versions are kept. */
function RestoreDialog({ scope, name, stored, version, onClose }: RestoreDialogProps) {
  const client = useQueryClient();
  const renew = useRenew();
  const restore = async () => {
    const old = await client.fetchQuery(taskQuery(scope, name, version));
    await saveTask({
      scope,
      name,
      text: old.text,
      reason: t("versionsTab.restoresVersion", { version: String(version) }),
      etag: stored.etag,
    });
    await renew(["task"], scope ?? "global", name);
    void renew(["tasks"]);
    notifications.show({ message: t("versionsTab.versionRestored", { version: String(version) }) });
  };
  return (
    <ConfirmDialog
      isOpen={version !== undefined}
      onClose={onClose}
      title={t("versionsTab.restoreVersion", { version: String(version) })}
      action={t("versionsTab.saveVersion", { version: String(stored.task.version + 1) })}
      onConfirm={restore}
    >
      {t("versionsTab.becomesLatestVersionVersions")}
    </ConfirmDialog>
  );
}
