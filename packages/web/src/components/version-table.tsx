import { Button, Group, Text } from "@mantine/core";
import { outcomeOf } from "../texts/language.ts";
import { t } from "../texts/shared.ts";
import { ActionButton } from "../ui/dialog/action-button.tsx";
import { DataTable } from "../ui/table/data-table.tsx";
import { TimeText } from "../ui/time/time-text.tsx";

export interface Version {
  version: number;
  author?: string | undefined;
  reason?: string | undefined;
  /** ISO 8601 */
  date?: string | undefined;
}

interface VersionTableProps {
  versions: readonly Version[];
  /** The version shown beside the table. */
  chosen: number;
  latest: number;
  /** Why no version can be restored. */
  whyNot: string | undefined;
  onShow: (version: number) => void;
  onRestore: (version: number) => void;
}

/** Who changed something, when and why. Each version can be shown, and an old one can be made the newest again. */
export function VersionTable({ versions, chosen, ...rest }: VersionTableProps) {
  return (
    <DataTable
      label={t("versionTable.versions")}
      minWidth={480}
      rows={versions}
      keyOf={({ version }) => String(version)}
      isChosen={({ version }) => version === chosen}
      columns={[
        { title: t("versionTable.version"), kind: "name", width: 72, cell: ({ version }) => version },
        {
          title: t("versionTable.change"),
          cell: ({ reason, author, date }) => (
            <>
              {outcomeOf(reason ?? "")}
              <Text size="sm" className="quiet">
                {author}, <TimeText at={date} />
              </Text>
            </>
          ),
        },
        { title: t("versionTable.actions"), kind: "actions", cell: ({ version }) => <VersionActions version={version} {...rest} /> },
      ]}
    />
  );
}

function VersionActions({
  version,
  latest,
  whyNot,
  onShow,
  onRestore,
}: Omit<VersionTableProps, "versions" | "chosen"> & { version: number }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Button
        size="compact-sm"
        variant="subtle"
        aria-label={t("versionTable.showVersion", { version: String(version) })}
        onClick={() => onShow(version)}
      >
        {t("versionTable.show")}
      </Button>
      {version !== latest && (
        <ActionButton
          size="compact-sm"
          variant="subtle"
          aria-label={t("versionTable.restoreVersion", { version: String(version) })}
          whyNot={whyNot}
          onClick={() => onRestore(version)}
        >
          {t("versionTable.restore")}
        </ActionButton>
      )}
    </Group>
  );
}
