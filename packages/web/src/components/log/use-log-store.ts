import { useEffect, useSyncExternalStore } from "react";
import { logSource } from "./log-source.ts";
import { LogStore } from "./log-store.ts";

/** Books of the tasks that were looked at last: going back to one reads nothing again. */
const books = new Map<string, LogStore>();
const booksKept = 3;

function bookOf(taskRun: string): LogStore {
  const book = books.get(taskRun) ?? new LogStore(logSource(taskRun));
  books.delete(taskRun);
  books.set(taskRun, book);
  for (const old of [...books.keys()].slice(0, -booksKept)) books.delete(old);
  return book;
}

const quickMs = 1_000;
const slowMs = 4_000;
const hiddenMs = 15_000;

/**
 * The log of a task run, read on while it grows and somebody looks. The stream of changes says nothing of lines, so it is asked:
 * each second while lines come, less often when none do or the page is in the background.
 * @param status of the task run: when it changes, there may be something new at once
 */
export function useLogStore(taskRun: string, status: string): LogStore {
  const book = bookOf(taskRun);
  useSyncExternalStore(book.subscribe, book.getVersion);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new status is a reason to look again
  useEffect(() => follow(book), [book, status]);
  return book;
}

function follow(book: LogStore): () => void {
  let pause = quickMs;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLeft = false;
  const look = async () => {
    const before = book.count;
    await book.readOn();
    if (isLeft || book.isOver) return;
    pause = book.count > before ? quickMs : Math.min(slowMs, pause * 1.5);
    timer = setTimeout(() => void look(), document.hidden ? hiddenMs : pause);
  };
  void look();
  return () => {
    isLeft = true;
    clearTimeout(timer);
  };
}
