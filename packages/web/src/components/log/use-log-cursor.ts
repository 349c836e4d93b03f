import { notifications } from "@mantine/notifications";
import { type KeyboardEvent, type RefObject, useState } from "react";
import { plainText } from "./ansi-text.ts";
import { firstOf, type LineChoice, lastOf, nameOf, writeChoice } from "./line-choice.ts";
import type { LogBook } from "./log-book.ts";
import { type LogKey, readLogKey } from "./log-keys.tsx";
import type { LogHandle } from "./log-lines.tsx";
import type { VisibleLines } from "./visible-lines.ts";

interface LogParts {
  book: LogBook;
  visible: VisibleLines;
  lines: RefObject<LogHandle | null>;
  choice: LineChoice | undefined;
  setChoice: (choice: LineChoice | undefined) => void;
  setFollowing: (isFollowing: boolean) => void;
  /** Goes to the nearest error or match, from that line. */
  onStep: (what: "error" | "match", by: 1 | -1) => void;
  onSearch: () => void;
  onHelp: () => void;
}

export interface LogCursor {
  choose: (line: number, isMore: boolean) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  copyLink: () => Promise<void>;
  /** For who does not see the lines. */
  said: string;
}

/** A cursor that goes through the lines of a log by keys, and links to where it is. */
export function useLogCursor(parts: LogParts): LogCursor {
  const [said, say] = useState("");
  const { visible, lines, choice, setChoice, setFollowing } = parts;
  const choose = (line: number, isMore: boolean) => {
    const next = { anchor: isMore && choice !== undefined ? choice.anchor : line, cursor: line };
    setFollowing(false);
    setChoice(next);
    say(sayChoice(parts.book, next));
  };
  const move = (place: number, isMore: boolean) => {
    const line = visible.lineAt(Math.max(0, Math.min(place, visible.count - 1)));
    choose(line, isMore);
    lines.current?.keepInView(line);
  };
  const copyLink = async () => {
    if (choice === undefined) return say("No line is chosen: the arrow keys choose one.");
    const done = await copyAddressOf(choice);
    say(done);
    notifications.show({ message: done });
  };
  const act = (key: LogKey) => {
    if (key.deed === "move" || key.deed === "page" || key.deed === "edge") return move(placeAfter(key, parts), key.isMore);
    if (key.deed === "error" || key.deed === "match") return parts.onStep(key.deed, key.by);
    if (key.deed === "copy") return void copyLink();
    if (key.deed === "clear") return setChoice(undefined);
    return key.deed === "search" ? parts.onSearch() : parts.onHelp();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const key = readLogKey(event);
    if (key === undefined) return;
    event.preventDefault();
    act(key);
  };
  return { choose, onKeyDown, copyLink, said };
}

/** Where the cursor goes. Without one it begins with the first line in view, or the last when it goes up. */
function placeAfter(key: Extract<LogKey, { isMore: boolean }>, { visible, lines, choice }: LogParts): number {
  if (key.deed === "edge") return key.isEnd ? visible.count - 1 : 0;
  const handle = lines.current;
  const [first, last] = [handle?.firstShown() ?? 0, handle?.lastShown() ?? 0];
  if (choice === undefined) return visible.placeOf(key.by > 0 ? first : last);
  const page = Math.max(1, visible.placeOf(last) - visible.placeOf(first) - 1);
  return visible.placeOf(choice.cursor) + key.by * (key.deed === "page" ? page : 1);
}

function sayChoice(book: LogBook, choice: LineChoice): string {
  const line = book.line(choice.cursor);
  const text = line === undefined ? "" : plainText(line.text).slice(0, 500);
  const name = nameOf(choice);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}${firstOf(choice) === lastOf(choice) ? `: ${text}` : ""}`;
}

/** The clipboard is only there for pages that came over HTTPS, or from this machine. @returns what to say of it */
async function copyAddressOf(choice: LineChoice): Promise<string> {
  const address = new URL(window.location.href);
  address.searchParams.set("line", writeChoice(choice));
  address.hash = "";
  try {
    await navigator.clipboard.writeText(address.href);
    return `The link to ${nameOf(choice)} is copied.`;
  } catch {
    return `This browser does not let the page copy. The link to ${nameOf(choice)} is the address of this page.`;
  }
}
