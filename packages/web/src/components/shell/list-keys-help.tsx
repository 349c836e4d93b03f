import { ActionIcon, Kbd, Table, Tooltip } from "@mantine/core";
import { IconKeyboard } from "@tabler/icons-react";
import { t } from "../../texts/frame.ts";

/** Says which keys the list knows. */
export function ListKeysHelp({ more = [] }: { more?: readonly (readonly [string, string])[] }) {
  const keys = [
    ["j", t("listKeysHelp.nextRow")],
    ["k", t("listKeysHelp.previousRow")],
    ["Enter", "open"],
    ["x", "select"],
    ["/", "filter"],
    ...more,
  ] as const;
  return (
    <Tooltip
      events={{ hover: true, focus: true, touch: true }}
      label={
        <Table withRowBorders={false} verticalSpacing={2}>
          <Table.Tbody>
            {keys.map(([key, what]) => (
              <Table.Tr key={key}>
                <Table.Td>
                  <Kbd>{key}</Kbd>
                </Table.Td>
                <Table.Td>{what}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      }
    >
      <ActionIcon
        visibleFrom="sm"
        variant="subtle"
        color="gray"
        aria-label={t("listKeysHelp.keys", { keys: keys.map(([key, what]) => `${key} ${what}`).join(", ") })}
      >
        <IconKeyboard size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
