import { networkOf } from "../../base/network/ip-ranges.ts";
import type { BackgroundJobs } from "../../base/process/background-jobs.ts";
import type { FailedSignIn } from "../../base/secret/sign-in-refusal.ts";
import type { Database } from "../../store/database/database.ts";
import { countFailedSignIn, type FailureCount } from "../../store/identity/failed-sign-ins.ts";

/** How many different failures may wait to be written. Further ones are only counted. */
const maxWaiting = 1000;

/**
 * Writes failed sign-ins after their responses have been sent, with equal ones combined into one record. At most one write runs at a time:
 * however fast an attacker guesses, it costs one connection, and what arrives during a write is counted in memory.
 */
export function createFailureRecorder(sql: Database, backgroundJobs: BackgroundJobs): (failed: FailedSignIn, address: string) => void {
  let waiting = new Map<string, FailureCount>();
  let isWriting = false;

  async function write(): Promise<void> {
    try {
      while (waiting.size > 0) {
        const batch = waiting;
        waiting = new Map();
        for (const failure of batch.values()) await countFailedSignIn(sql, failure);
      }
    } finally {
      isWriting = false;
    }
  }

  function add(failed: FailedSignIn, network: string): void {
    const key = JSON.stringify([network, failed.way, failed.why, failed.account]);
    const known = waiting.get(key);
    if (known !== undefined) known.count++;
    else if (waiting.size < maxWaiting || network === "*") waiting.set(key, { ...failed, network, count: 1 });
    else add({ way: failed.way, why: "*" }, "*");
  }

  return (failed, address) => {
    add(failed, networkOf(address).slice(0, 100));
    if (!isWriting) isWriting = backgroundJobs.run("record failed sign-ins", write);
  };
}
