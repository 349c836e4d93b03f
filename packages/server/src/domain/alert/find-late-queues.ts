import { lateQueueMessage, recoveredQueueMessage } from "../../core/alert/alert-words.ts";
import { queueChange } from "../../core/alert/queue-lateness.ts";
import { listTeamQueues, recordQueueChanges, type TeamQueue } from "../../store/alert/late-queues.ts";
import type { Transaction } from "../../store/database/database.ts";

/** Checks the queue of each team that wants alerts. After an alert, there is no other one until the queue has recovered. */
export async function findLateQueues(tx: Transaction, limitMinutes: number): Promise<{ teamId: string; status: QueueStatus }[]> {
  const changes = (await listTeamQueues(tx)).flatMap((queue) => {
    const change = queueChange(queue.oldestAt, queue.isLate, limitMinutes, queue.now);
    return change === undefined ? [] : [{ queue, isLate: change === "late" }];
  });
  if (changes.length === 0) return [];
  await recordQueueChanges(
    tx,
    changes.map(({ queue, isLate }) => ({
      ...{ teamId: queue.teamId, taskRunId: isLate ? queue.taskRunId : null, isLate },
      members: { message: isLate ? lateQueueMessage(waitedMs(queue)) : recoveredQueueMessage },
    })),
  );
  return changes.map(({ queue, isLate }) => ({ teamId: queue.teamId, status: isLate ? "queue_late" : "queue_recovered" }));
}

type QueueStatus = "queue_late" | "queue_recovered";

function waitedMs({ oldestAt, now }: TeamQueue): number {
  return oldestAt === null ? 0 : now.getTime() - oldestAt.getTime();
}
