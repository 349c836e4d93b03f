import { Button, Group, Text } from "@mantine/core";
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
  /** The one that is shown beside the table. */
  chosen: number;
  latest: number;
  /** Why none can be restored. */
  whyNot: string | undefined;
  onShow: (version: number) => void;
  onRestore: (version: number) => void;
}

/** Who changed something, when and why; each version can be shown, and an old one be the newest again. */
export function VersionTable({ versions, chosen, ...rest }: VersionTableProps) {
  return (
    <DataTable
      label="Versions"
      minWidth={480}
      rows={versions}
      keyOf={({ version }) => String(version)}
      isChosen={({ version }) => version === chosen}
      columns={[
        { title: "Version", kind: "name", width: 72, cell: ({ version }) => version },
        {
          title: "Change",
          cell: ({ reason, author, date }) => (
            <>
              {reason}
              <Text size="sm" className="quiet">
                {author}, <TimeText at={date} />
              </Text>
            </>
          ),
        },
        { title: "Actions", kind: "actions", cell: ({ version }) => <VersionActions version={version} {...rest} /> },
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
      <Button size="compact-sm" variant="subtle" aria-label={`Show version ${version}`} onClick={() => onShow(version)}>
        Show
      </Button>
      {version !== latest && (
        <ActionButton
          size="compact-sm"
          variant="subtle"
          aria-label={`Restore version ${version}`}
          whyNot={whyNot}
          onClick={() => onRestore(version)}
        >
          Restore
        </ActionButton>
      )}
    </Group>
  );
}
