import { ActionIcon, Kbd, Table, Tooltip } from "@mantine/core";
import { IconKeyboard } from "@tabler/icons-react";
import { type RefObject, useEffect } from "react";
import { t } from "../../texts/frame.ts";
import { isTyping } from "./use-page-keys.ts";

interface ListKeys {
  /** Called with the id of the row on which `x` was pressed. */
  onSelect?: (id: string) => void;
  /** Further keys, and what each does with the focused row. */
  more?: Readonly<Record<string, (id: string | undefined) => void>>;
}

/**
 * Keyboard navigation in a list: `j` and `k` move between rows, Enter opens the row (its link has the focus), `x` selects it, `/` focuses
 * the filter. Rows have `data-row="ID"` and contain a link with `data-row-link`; the filter has `data-list-filter`.
 */
export function useListKeys(list: RefObject<HTMLElement | null>, { onSelect, more = {} }: ListKeys): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || list.current === null) return;
      const row = document.activeElement?.closest<HTMLElement>("[data-row]");
      const id = row?.dataset["row"];
      if (event.key === "j" || event.key === "k") step(list.current, row ?? undefined, event.key === "j" ? 1 : -1);
      else if (event.key === "x" && id !== undefined) onSelect?.(id);
      else if (event.key === "/") document.querySelector<HTMLElement>("[data-list-filter]")?.focus();
      else if (Object.hasOwn(more, event.key)) more[event.key]?.(id);
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
}

function step(list: HTMLElement, from: HTMLElement | undefined, by: 1 | -1): void {
  const rows = [...list.querySelectorAll<HTMLElement>("[data-row]")];
  const at = from === undefined ? -1 : rows.indexOf(from);
  const to = at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by));
  rows[to]?.querySelector<HTMLElement>("[data-row-link]")?.focus();
}

/** Describes the keys of the list. */
export function ListKeysHelp({ more = [] }: { more?: readonly (readonly [string, string])[] }) {
  const keys = [
    ["j", t("listKeysHelp.nextRow")],
    ["k", t("listKeysHelp.previousRow")],
    ["Enter", t("listKeysHelp.open")],
    ["x", t("listKeysHelp.select")],
    ["/", t("listKeysHelp.filter")],
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
