import { Modal } from "@mantine/core";
import type { KeyboardEvent } from "react";
import { t } from "../../texts/run/log.ts";
import { KeyTable } from "../../ui/table/scroll-box.tsx";

/** The command of a key. */
export type LogKey =
  | { command: "move"; by: number; isMore: boolean }
  | { command: "page"; by: 1 | -1; isMore: boolean }
  | { command: "edge"; isEnd: boolean; isMore: boolean }
  | { command: "error" | "match"; by: 1 | -1 }
  | { command: "copy" | "clear" | "search" | "help" };

const keys: readonly (readonly [string, string])[] = [
  ["↑, ↓", t("logKeys.selectLineAboveBelow")],
  [t("logKeys.pageupPagedownHomeEnd"), t("logKeys.selectLinePageAway")],
  [t("logKeys.shiftShift"), t("logKeys.selectSeveralLinesShift")],
  [t("logKeys.enterY"), t("logKeys.copyLinkSelectedLines")],
  ["Escape", t("logKeys.clearSelection")],
  [t("logKeys.eShiftE"), t("logKeys.nextErrorPreviousError")],
  [t("logKeys.nShiftN"), t("logKeys.nextMatchPreviousMatch")],
  ["/", t("logKeys.searchLog")],
  ["?", t("logKeys.showKeyboardShortcuts")],
];

/** The command of a key pressed in the lines of a log; undefined: left to the browser. */
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

/** Everything that can be done with the lines of a log by keyboard. */
export function LogKeysHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal
      closeButtonProps={{ "aria-label": t("logKeys.close") }}
      opened={isOpen}
      onClose={onClose}
      title={t("logKeys.logShortcuts")}
      size="lg"
      centered
    >
      <p className="quiet">{t("logKeys.theseWorkWhileLog")}</p>
      <KeyTable keys={keys} width={304} />
    </Modal>
  );
}
