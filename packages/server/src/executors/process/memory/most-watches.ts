import { readFileSync } from "node:fs";
import type { Identity } from "../../folders/identity.ts";

/**
 * The kernel counts what all programs of a user watch by epoll. With none left the event loop of a Node program ends the program, and the
 * database refuses connections. So a step that is the user of the service may have a small part of them.
 *
 * @param identity of the steps; undefined: they are the user of the service
 * @returns undefined: it takes from nobody but itself
 */
export function mostWatches(identity: Identity | undefined): number | undefined {
  return identity === undefined ? shareOfUser : undefined;
}

const share = 32;
const shareOfUser = readShare();

function readShare(): number | undefined {
  try {
    return Math.max(1_000, Math.floor(Number(readFileSync("/proc/sys/fs/epoll/max_user_watches", "utf8")) / share));
  } catch {
    return undefined;
  }
}
