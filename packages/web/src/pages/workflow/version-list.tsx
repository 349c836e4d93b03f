import { Radio, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { components } from "@millrace/client/schema.generated.ts";
import { useState } from "react";
import { readWorkflow, writeWorkflow } from "../../api/queries/workflow/workflows.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { outcomeOf } from "../../texts/language.ts";
import { t } from "../../texts/workflow/workflows.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./versions.module.css";

type Version = components["schemas"]["ChangeLogVersion"];

interface VersionListProps {
  team: string;
  workflow: string;
  versions: readonly Version[];
  before: number;
  after: number;
  onChoose: (change: { before?: number; after?: number }) => void;
}

/** The versions, newest first. The radio buttons at the left select the two to compare. */
export function VersionList({ team, workflow, versions, before, after, onChoose }: VersionListProps) {
  const [restored, setRestored] = useState<number>();
  const latest = versions.at(-1)?.version ?? 1;
  const whyNot = useRights(team).whyNot("workflow/write");
  const restore = useRestore(team, workflow, latest);
  return (
    <section className={classes.list} aria-label={t("versionList.versions")}>
      <div className={classes.heads} aria-hidden>
        <span>{t("versionList.from")}</span>
        <span>{t("versionList.to")}</span>
      </div>
      <ol reversed>
        {versions.toReversed().map(({ version, reason, author, date }) => (
          <li key={version} data-chosen={version === before || version === after || undefined}>
            <span className={classes.choices}>
              <Radio
                name="before"
                size="xs"
                aria-label={t("versionList.compareVersion", { version: String(version) })}
                checked={version === before}
                onChange={() => onChoose({ before: version, after })}
              />
              <Radio
                name="after"
                size="xs"
                aria-label={t("versionList.compareToVersion", { version: String(version) })}
                checked={version === after}
                onChange={() => onChoose({ before, after: version })}
              />
            </span>
            <span className={classes.words}>
              <Text component="span" fw={500} display="block">
                {t("versionList.version", { version: String(version) })}
                {version === latest && <span className="quiet"> {t("versionList.current")}</span>}
              </Text>
              <Text component="span" size="sm" display="block">
                {outcomeOf(reason ?? "")}
              </Text>
              <Text component="span" size="sm" className="quiet" display="block">
                {author} · <TimeText at={date} />
              </Text>
            </span>
            {version !== latest && (
              <ActionButton
                size="compact-xs"
                variant="default"
                whyNot={whyNot}
                aria-label={t("versionList.restoreVersion", { version: String(version) })}
                onClick={() => setRestored(version)}
              >
                {t("versionList.restore")}
              </ActionButton>
            )}
          </li>
        ))}
      </ol>
      {restored !== undefined && (
        <ConfirmDialog
          isOpen
          onClose={() => setRestored(undefined)}
          title={t("versionList.restoreVersion2", { restored: String(restored) })}
          action={t("versionList.restore")}
          onConfirm={async () => {
            const version = await restore(restored);
            onChoose({ before: version - 1, after: version });
          }}
        >
          {t("versionList.createsVersionContentVersion", { latest: String(latest + 1), restored: String(restored) })}
        </ConfirmDialog>
      )}
    </section>
  );
}

/** Saves the old content as a new version, unless someone else has saved in the meantime. */
function useRestore(team: string, workflow: string, latest: number) {
  const renew = useRenew();
  return async (version: number): Promise<number> => {
    const [old, present] = await Promise.all([readWorkflow(team, workflow, version), readWorkflow(team, workflow)]);
    if (present.data.version !== latest) throw new Error(t("versionList.savedByOther", { version: String(present.data.version) }));
    const document = { ...old.data, changelog: { reason: t("versionList.restoredVersion", { version: String(version) }) } };
    const { data } = await writeWorkflow(team, document, { etag: present.etag });
    await renew(["workflow", "workflows"], team);
    notifications.show({
      message: t("versionList.versionHasContentVersion", { version: String(data.version), version2: String(version) }),
    });
    return data.version ?? latest + 1;
  };
}
