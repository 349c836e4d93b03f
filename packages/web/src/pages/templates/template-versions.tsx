import { Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { saveTemplate, templateChangesQuery, templateQuery } from "../../api/queries/workflow/templates.ts";
import { VersionTable } from "../../components/version-table.tsx";
import { useRenew } from "../../hooks/use-renew.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { t } from "../../texts/workflow/templates.ts";
import { TextDiff } from "../../ui/code/code-editor.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { templateText } from "./template-text.ts";
import classes from "./templates.module.css";

interface TemplateVersionsProps {
  name: string;
  latest: number;
  etag: string | undefined;
  whyNot: string | undefined;
}

/** Who changed the template, when and why, and the differences to the previous version. An old version can be made the newest again. */
export function TemplateVersions({ name, latest, etag, whyNot }: TemplateVersionsProps) {
  const query = useQuery(templateChangesQuery(name));
  const { data } = query;
  const [{ version }, change] = useSearchState({ version: latest });
  const [restoring, setRestoring] = useState<number>();
  if (data === undefined) return <NotLoaded query={query} label={t("templateVersions.loadingVersions")} />;
  return (
    <div className={classes.split}>
      <VersionTable
        versions={data}
        chosen={Number(version)}
        latest={latest}
        whyNot={whyNot}
        onShow={(chosen) => change({ version: chosen })}
        onRestore={setRestoring}
      />
      <VersionDiff name={name} version={Number(version)} before={data.find((one) => one.version < Number(version))?.version} />
      <RestoreDialog name={name} latest={latest} etag={etag} version={restoring} onClose={() => setRestoring(undefined)} />
    </div>
  );
}

function VersionDiff({ name, version, before }: { name: string; version: number; before: number | undefined }) {
  const after = useQuery(templateQuery(name, version));
  const former = useQuery({ ...templateQuery(name, before), enabled: before !== undefined });
  if (after.data === undefined || (before !== undefined && former.data === undefined))
    return <NotLoaded query={{ data: undefined, error: after.error ?? former.error }} label={t("templateVersions.loadingVersion")} />;
  const text = templateText(after.data.template);
  return (
    <section aria-label={t("templateVersions.version", { version: String(version) })}>
      <Text fw={500} mb={4}>
        {before === undefined
          ? t("templateVersions.versionFirst", { version: String(version) })
          : t("templateVersions.versionComparedVersion", { version: String(version), before: String(before) })}
      </Text>
      <TextDiff
        key={`${version} ${before}`}
        label={t("templateVersions.textVersion", { version: String(version) })}
        before={former.data && before !== undefined ? templateText(former.data.template) : text}
        after={text}
        language="yaml"
      />
    </section>
  );
}

interface RestoreDialogProps {
  name: string;
  latest: number;
  etag: string | undefined;
  version: number | undefined;
  onClose: () => void;
}

/** Saves an old version as the newest; the other versions are kept. */
function RestoreDialog({ name, latest, etag, version, onClose }: RestoreDialogProps) {
  const client = useQueryClient();
  const renew = useRenew();
  const restore = async () => {
    const { template } = await client.fetchQuery(templateQuery(name, version));
    await saveTemplate({ ...template, changelog: { reason: t("templateVersions.restoresVersion", { version: String(version) }) } }, etag);
    await renew(["template"], name);
    void renew(["templates"]);
  };
  return (
    <ConfirmDialog
      isOpen={version !== undefined}
      onClose={onClose}
      title={t("templateVersions.restoreVersion", { version: String(version) })}
      action={t("templateVersions.saveVersion", { latest: String(latest + 1) })}
      onConfirm={restore}
    >
      {t("templateVersions.becomesLatestVersionVersions")}
    </ConfirmDialog>
  );
}
