import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { tryLogQuery } from "../../../api/queries/tries.ts";
import { waitForLine } from "../../../api/wait-for-line.ts";

/** Lines that come within so long are read together. */
const gatherMs = 400;
/** Where the waiting is cut off, it is looked this often instead. */
const cutMs = 4_000;

/** The log of a try as it grows: read again when the service says that there is more. @param isOver it will not grow any more */
export function useTryLog(taskRun: string, isOver: boolean) {
  const { data, refetch } = useQuery(tryLogQuery(taskRun, isOver));
  const count = data === undefined || data.hasMore ? undefined : data.lines.length;
  useEffect(() => {
    if (isOver || count === undefined) return;
    const left = new AbortController();
    const read = async () => ((await refetch()).data?.lines.length ?? 0) > count;
    void follow((signal) => waitForLine(taskRun, count + 1, signal), read, left.signal);
    return () => left.abort();
  }, [taskRun, isOver, count, refetch]);
  return data;
}

/** @param read reads the log again; true: it has grown, and somebody else waits for the next line */
async function follow(wait: (signal: AbortSignal) => Promise<void>, read: () => Promise<boolean>, left: AbortSignal): Promise<void> {
  for (let isCut = true; isCut; ) {
    isCut = await wait(left).then(
      () => false,
      () => true,
    );
    if (left.aborted) return;
    await pause(isCut ? cutMs : gatherMs);
    if (left.aborted || (await read())) return;
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
