import type { V1Pod } from "@kubernetes/client-node";
import type { JobWaits } from "../../engine/executor.ts";
import { failed, type Verdict } from "../steps/outcomes.ts";
import { listEvents, pullTimeMs, refusedPod, startProblem } from "./cluster-events.ts";
import { isQuotaProblem } from "./create-job.ts";
import type { Follower } from "./pod/follower.ts";
import type { PodState, Stuck } from "./pod/pod-state.ts";
import type { Runtime } from "./runtime.ts";

/** A pod that needs longer than this to appear is asked after. */
const noPodMs = 1_500;
const lookPauseMs = 5_000;
/** What keeps a pod from being made, and is not a quota, does not go away by waiting. */
const refusedMs = 30_000;
/** A registry that is away, and is then asked again by its node after 10 s. */
const briefMs = 20_000;
/** From a node to a collector that can be asked takes about this long at least. */
const shortestStartMs = 300;
/** The cluster says up to a second late that a container runs; so it is simply tried, but not for long. */
const earlyTries = 8;
/** Below this nobody asks what a start was made of. */
const quickStartMs = 2_000;

/** What an attempt waits for before its steps begin: says it, measures it, and knows when it was too long. */
export class WaitingTime {
  readonly #runtime: Runtime;
  readonly #job: string;
  readonly #say: (text: string) => void;
  readonly #createdAt = performance.now();
  readonly #stuckSince = new Map<string, number>();
  readonly #said = new Set<string>();
  #lastTold: Stuck | undefined;
  #podAt: number | undefined;
  #placedAt: number | undefined;
  #isReady = false;
  #lookedAt = 0;
  #refused: string | undefined;
  #isClosed = false;

  constructor(runtime: Runtime, job: string, say: (text: string) => void) {
    this.#runtime = runtime;
    this.#job = job;
    this.#say = say;
  }

  close(): void {
    this.#isClosed = true;
  }

  ageMs(): number {
    return performance.now() - this.#createdAt;
  }

  /** There is no pod yet: asks why, now and then, without waiting for the answer. */
  lookForPod(): void {
    const uid = this.#runtime.watch.job(this.#job)?.metadata?.uid;
    const now = performance.now();
    if (uid === undefined || this.ageMs() < noPodMs || now - this.#lookedAt < lookPauseMs) return;
    this.#lookedAt = now;
    const note = (refused: string | undefined): void => {
      if (refused === undefined || this.#isClosed) return;
      this.#refused = refused;
      this.#sayOnce(`waiting for the cluster to create its pod: ${refused}`);
    };
    listEvents(this.#runtime.cluster, uid).then(
      (events) => note(refusedPod(events)),
      () => undefined,
    );
  }

  seePod({ isPlaced, isReady, stuck }: PodState, follower: Follower): void {
    const now = performance.now();
    this.#podAt ??= now;
    if (isPlaced && this.#placedAt === undefined) {
      this.#placedAt = now;
      follower.nextTryAt = now + shortestStartMs;
    }
    if (isReady && !this.#isReady) {
      this.#isReady = true;
      follower.nextTryAt = 0;
    }
    if (stuck) this.#sayOnce(`waits: ${stuck.verdict.message}`);
  }

  mayConnect({ isPlaced, isReady, stuck }: PodState, { failures }: Follower): boolean {
    return isReady || (isPlaced && stuck === undefined && failures < earlyTries);
  }

  /** Whether it is stuck in the same way for longer than it may. */
  isOverdue({ phase, isCertain }: Stuck, limitMs: number): boolean {
    const since = this.#stuckSince.get(phase) ?? performance.now();
    this.#stuckSince.set(phase, since);
    return isCertain || performance.now() - since > limitMs;
  }

  /** Why it waited in vain. To be called while no step runs. */
  overdue({ stuck, isPlaced, isReady }: PodState, pod: V1Pod | undefined, hasBegun: boolean): Verdict | undefined {
    const { pendingMs } = this.#runtime.settings;
    if (pod === undefined) return this.#overdueWithoutPod();
    if (stuck) return this.#overdueStuck(this.#lastWordOn(stuck));
    this.#stuckSince.clear();
    if (hasBegun || this.ageMs() < pendingMs) return undefined;
    const seconds = Math.round(pendingMs / 1000);
    if (!isPlaced) return failed("Unschedulable", `no scheduler gave the pod a node within ${seconds} s`);
    return isReady ? undefined : failed("ExecutorError", `the pod did not start within ${seconds} s`);
  }

  #overdueStuck(stuck: Stuck): Verdict | undefined {
    const { pendingMs } = this.#runtime.settings;
    return this.isOverdue(stuck, stuck.isBrief ? Math.min(pendingMs, briefMs) : pendingMs) ? stuck.verdict : undefined;
  }

  /** Between two tries some nodes say no longer what the first one came to. */
  #lastWordOn(stuck: Stuck): Stuck {
    if (stuck.isVague && this.#lastTold?.phase === stuck.phase && this.#lastTold.step === stuck.step) return this.#lastTold;
    this.#lastTold = stuck;
    return stuck;
  }

  #overdueWithoutPod(): Verdict | undefined {
    const { pendingMs } = this.#runtime.settings;
    const refused = this.#refused;
    const isQuota = refused !== undefined && isQuotaProblem({ message: refused });
    const limitMs = refused === undefined || isQuota ? pendingMs : Math.min(pendingMs, refusedMs);
    if (this.ageMs() < limitMs) return undefined;
    if (refused === undefined)
      return failed("ExecutorError", `the cluster created no pod within ${Math.round(pendingMs / 1000)} s, and gave no reason`);
    return isQuota
      ? failed("QuotaExceeded", `a quota of the cluster prevented the pod: ${refused}`)
      : failed("ExecutorError", `the cluster refuses the pod: ${refused}`);
  }

  /** What is left of the last word of the node when a pod does not start. */
  async trouble(pod: V1Pod | undefined): Promise<string | undefined> {
    const uid = pod?.metadata?.uid;
    if (uid === undefined) return undefined;
    return listEvents(this.#runtime.cluster, uid).then(startProblem, () => undefined);
  }

  /** @param beganAt when the first step began, by `performance.now()` */
  async waits(pod: V1Pod | undefined, beganAt: number | undefined): Promise<JobWaits> {
    const times: JobWaits = {};
    if (this.#refused !== undefined) times.quotaMs = Math.round((this.#podAt ?? performance.now()) - this.#createdAt);
    if (this.#podAt === undefined) return times;
    times.schedulingMs = Math.round((this.#placedAt ?? performance.now()) - this.#podAt);
    if (this.#placedAt === undefined || beganAt === undefined || beganAt < this.#placedAt) return times;
    const startMs = Math.round(beganAt - this.#placedAt);
    const uid = pod?.metadata?.uid;
    const pulledMs =
      startMs < quickStartMs || uid === undefined
        ? undefined
        : await listEvents(this.#runtime.cluster, uid).then(pullTimeMs, () => undefined);
    if (pulledMs !== undefined) times.imagePullMs = Math.min(pulledMs, startMs);
    times.startMs = startMs - (times.imagePullMs ?? 0);
    return times;
  }

  #sayOnce(text: string): void {
    if (this.#said.has(text) || this.#said.size > 20) return;
    this.#said.add(text);
    this.#say(text);
  }
}
