import { Modal } from "@mantine/core";
import type { KeyboardEvent } from "react";
import { KeyTable } from "../../ui/key-table.tsx";

/** What a key asks for. */
export type LogKey =
  | { deed: "move"; by: number; isMore: boolean }
  | { deed: "page"; by: 1 | -1; isMore: boolean }
  | { deed: "edge"; isEnd: boolean; isMore: boolean }
  | { deed: "error" | "match"; by: 1 | -1 }
  | { deed: "copy" | "clear" | "search" | "help" };

const keys: readonly (readonly [string, string])[] = [
  ["↑, ↓", "Choose the line above or below"],
  ["PageUp, PageDown, Home, End", "Choose a line a page away, the first, the last"],
  ["Shift ↑, Shift ↓", "Choose several lines; so do Shift with the other keys, and a click with Shift on a number"],
  ["Enter, y", "Copy a link to what is chosen"],
  ["Escape", "Choose nothing"],
  ["e, Shift E", "To the next error, to the one before"],
  ["n, Shift N", "To the next match of the search, to the one before"],
  ["/", "Search the log"],
  ["?", "Show these keys"],
];

/** The deed of a key in the lines of a log; undefined: the browser's own. */
export function readLogKey({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): LogKey | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  if (key === "ArrowDown" || key === "ArrowUp") return { deed: "move", by: key === "ArrowDown" ? 1 : -1, isMore: shiftKey };
  if (key === "PageDown" || key === "PageUp") return { deed: "page", by: key === "PageDown" ? 1 : -1, isMore: shiftKey };
  if (key === "Home" || key === "End") return { deed: "edge", isEnd: key === "End", isMore: shiftKey };
  if (key === "e" || key === "E") return { deed: "error", by: shiftKey ? -1 : 1 };
  if (key === "n" || key === "N") return { deed: "match", by: shiftKey ? -1 : 1 };
  if (key === "Enter" || key === "y") return { deed: "copy" };
  if (key === "Escape") return { deed: "clear" };
  if (key === "/") return { deed: "search" };
  return key === "?" ? { deed: "help" } : undefined;
}

/** All that can be done with the lines of a log without a pointer. */
export function LogKeysHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal closeButtonProps={{ "aria-label": "Close" }} opened={isOpen} onClose={onClose} title="Keys of the log" size="lg" centered>
      <p className="quiet">They work while the lines have the focus: click them, or come by Tab.</p>
      <KeyTable keys={keys} width={304} />
    </Modal>
  );
}
