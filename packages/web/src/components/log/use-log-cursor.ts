import { notifications } from "@mantine/notifications";
import { type KeyboardEvent, type RefObject, useState } from "react";
import { t } from "../../texts/run/log.ts";
import { plainText } from "./lines/ansi-text.ts";
import { firstOf, type LineChoice, lastOf, nameOf, writeChoice } from "./lines/line-choice.ts";
import type { VisibleLines } from "./lines/line-ranges.ts";
import type { LogHandle } from "./lines/log-lines.tsx";
import { type LogKey, readLogKey } from "./log-keys.tsx";
import type { LogStore } from "./log-store.ts";

interface LogParts {
  book: LogStore;
  visible: VisibleLines;
  lines: RefObject<LogHandle | null>;
  choice: LineChoice | undefined;
  setChoice: (choice: LineChoice | undefined) => void;
  setFollowing: (isFollowing: boolean) => void;
  /** Moves to the nearest error or match, starting from the cursor. */
  onStep: (what: "error" | "match", by: 1 | -1) => void;
  onSearch: () => void;
  onHelp: () => void;
}

export interface LogCursor {
  choose: (line: number, isMore: boolean) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  copyLink: () => Promise<void>;
  /** The announcement for screen readers. */
  said: string;
}

/** A cursor that moves through the lines of a log by keyboard, and the link to its line. */
export function useLogCursor(parts: LogParts): LogCursor {
  const [done, say] = useState<{ text: string; choice: LineChoice | undefined }>();
  const { visible, lines, choice, setChoice, setFollowing } = parts;
  const choose = (line: number, isMore: boolean) => {
    setFollowing(false);
    setChoice({ anchor: isMore && choice !== undefined ? choice.anchor : line, cursor: line });
  };
  const move = (place: number, isMore: boolean) => {
    const line = visible.lineAt(Math.max(0, Math.min(place, visible.count - 1)));
    choose(line, isMore);
    lines.current?.keepInView(line);
  };
  const copyLink = async () => {
    const text = choice === undefined ? t("logCursor.noLineSelectedUse") : await copyAddressOf(choice);
    say({ text, choice });
    notifications.show({ message: text });
  };
  const act = (key: LogKey) => {
    if (key.command === "move" || key.command === "page" || key.command === "edge") return move(placeAfter(key, parts), key.isMore);
    if (key.command === "error" || key.command === "match") return parts.onStep(key.command, key.by);
    if (key.command === "copy") return void copyLink();
    if (key.command === "clear") return setChoice(undefined);
    return key.command === "search" ? parts.onSearch() : parts.onHelp();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const key = readLogKey(event);
    if (key === undefined) return;
    event.preventDefault();
    act(key);
  };
  return { choose, onKeyDown, copyLink, said: done?.choice === choice && done !== undefined ? done.text : sayChoice(parts.book, choice) };
}

/** The new place of the cursor. Without a cursor, it starts at the first line in view, or at the last one when moving up. */
function placeAfter(key: Extract<LogKey, { isMore: boolean }>, { visible, lines, choice }: LogParts): number {
  if (key.command === "edge") return key.isEnd ? visible.count - 1 : 0;
  const handle = lines.current;
  const [first, last] = [handle?.firstShown() ?? 0, handle?.lastShown() ?? 0];
  if (choice === undefined) return visible.placeOf(key.by > 0 ? first : last);
  const page = Math.max(1, visible.placeOf(last) - visible.placeOf(first) - 1);
  return visible.placeOf(choice.cursor) + key.by * (key.command === "page" ? page : 1);
}

/** Announces the line as soon as its text is loaded. */
function sayChoice(book: LogStore, choice: LineChoice | undefined): string {
  if (choice === undefined) return "";
  const name = nameOf(choice);
  const said = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  if (firstOf(choice) !== lastOf(choice)) return said;
  const line = book.line(choice.cursor);
  return line === undefined ? "" : `${said}: ${plainText(line.text).slice(0, 500)}`;
}

/** The clipboard is only available on pages loaded over HTTPS or from localhost. @returns the announcement */
async function copyAddressOf(choice: LineChoice): Promise<string> {
  const address = new URL(window.location.href);
  address.searchParams.set("line", writeChoice(choice));
  address.hash = "";
  try {
    await navigator.clipboard.writeText(address.href);
    return t("logCursor.linkCopied", { name: nameOf(choice) });
  } catch {
    return t("logCursor.browserDoesntAllowCopying", { name: nameOf(choice) });
  }
}
