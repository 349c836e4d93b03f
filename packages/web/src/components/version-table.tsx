import { Button, Group, Table, Text } from "@mantine/core";
import { t } from "../texts/shared.ts";
import { ActionButton } from "../ui/dialog/action-button.tsx";
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
    <Table.ScrollContainer minWidth={480} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={72}>{t("versionTable.version")}</Table.Th>
            <Table.Th>{t("versionTable.change")}</Table.Th>
            <Table.Th w={160}>
              <span className="only-heard">{t("versionTable.actions")}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {versions.map((one) => (
            <Table.Tr key={one.version} bg={one.version === chosen ? "var(--accent-ground)" : undefined}>
              <Table.Td fw={500}>{one.version}</Table.Td>
              <Table.Td>
                {one.reason}
                <Text size="sm" className="quiet">
                  {one.author}, <TimeText at={one.date} />
                </Text>
              </Table.Td>
              <Table.Td>
                <VersionActions version={one.version} {...rest} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
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
