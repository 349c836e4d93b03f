import type { CoreV1Event } from "@kubernetes/client-node";
import type { Cluster } from "./cluster.ts";

/** What the cluster reports only as events, for one object. */
export async function listEvents({ core, namespace }: Cluster, uid: string): Promise<CoreV1Event[]> {
  const { items } = await core.listNamespacedEvent({ namespace, fieldSelector: `involvedObject.uid=${uid}` });
  return items;
}

/** Why no pod was created for a Job; undefined: not reported. */
export function refusedPod(events: readonly CoreV1Event[]): string | undefined {
  return events.filter(({ reason }) => reason === "FailedCreate").at(-1)?.message;
}

/** Why a pod that has a node does not start, as reported by the node. */
export function startProblem(events: readonly CoreV1Event[]): string | undefined {
  const reasons = ["FailedMount", "FailedAttachVolume", "FailedCreatePodSandBox", "FailedPostStartHook", "Failed"];
  return events.filter(({ reason }) => reasons.includes(reason ?? "")).at(-1)?.message;
}

/** How long pulling images took, in ms; undefined: none was pulled, according to the events. */
export function pullTimeMs(events: readonly CoreV1Event[]): number | undefined {
  const times = events
    .filter(({ reason }) => reason === "Pulled")
    .flatMap(({ message }) => {
      const found = /Successfully pulled image .* in ((?:[\d.]+(?:h|ms|m|s))+)/.exec(message ?? "")?.[1];
      return found === undefined ? [] : [goDurationMs(found)];
    });
  return times.length === 0 ? undefined : Math.round(times.reduce((sum, time) => sum + time, 0));
}

const unitsMs: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/** `1m2.5s` as the programs of a cluster write it. */
function goDurationMs(text: string): number {
  return [...text.matchAll(/([\d.]+)(h|ms|m|s)/g)].reduce((sum, [, count, unit]) => sum + Number(count) * (unitsMs[unit ?? ""] ?? 0), 0);
}
