import { Modal } from "@mantine/core";
import type { KeyboardEvent } from "react";
import { KeyTable } from "../../ui/table/key-table.tsx";

/** What a key asks for. */
export type LogKey =
  | { command: "move"; by: number; isMore: boolean }
  | { command: "page"; by: 1 | -1; isMore: boolean }
  | { command: "edge"; isEnd: boolean; isMore: boolean }
  | { command: "error" | "match"; by: 1 | -1 }
  | { command: "copy" | "clear" | "search" | "help" };

const keys: readonly (readonly [string, string])[] = [
  ["↑, ↓", "Select the line above or below"],
  ["PageUp, PageDown, Home, End", "Select a line one page away, the first line, the last line"],
  ["Shift ↑, Shift ↓", "Select several lines. Shift also works with the other keys and with a click on a line number"],
  ["Enter, y", "Copy a link to the selected lines"],
  ["Escape", "Clear the selection"],
  ["e, Shift E", "Next error, previous error"],
  ["n, Shift N", "Next match, previous match"],
  ["/", "Search the log"],
  ["?", "Show keyboard shortcuts"],
];

/** The command of a key in the lines of a log; undefined: the browser's own. */
export function readLogKey({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): LogKey | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  if (key === "ArrowDown" || key === "ArrowUp") return { command: "move", by: key === "ArrowDown" ? 1 : -1, isMore: shiftKey };
  if (key === "PageDown" || key === "PageUp") return { command: "page", by: key === "PageDown" ? 1 : -1, isMore: shiftKey };
  if (key === "Home" || key === "End") return { command: "edge", isEnd: key === "End", isMore: shiftKey };
  if (key === "e" || key === "E") return { command: "error", by: shiftKey ? -1 : 1 };
  if (key === "n" || key === "N") return { command: "match", by: shiftKey ? -1 : 1 };
  if (key === "Enter" || key === "y") return { command: "copy" };
  if (key === "Escape") return { command: "clear" };
  if (key === "/") return { command: "search" };
  return key === "?" ? { command: "help" } : undefined;
}

/** All that can be done with the lines of a log without a pointer. */
export function LogKeysHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal closeButtonProps={{ "aria-label": "Close" }} opened={isOpen} onClose={onClose} title="Log shortcuts" size="lg" centered>
      <p className="quiet">These work while the log has the focus: click a line, or press Tab.</p>
      <KeyTable keys={keys} width={304} />
    </Modal>
  );
}
