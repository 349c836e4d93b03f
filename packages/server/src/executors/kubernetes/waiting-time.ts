import type { V1Pod } from "@kubernetes/client-node";
import type { JobWaits } from "../../engine/executor.ts";
import { failed, type Verdict } from "../steps/outcomes.ts";
import { listEvents, pullTimeMs, refusedPod, startProblem } from "./cluster-events.ts";
import { isQuotaProblem } from "./create-job.ts";
import type { Follower } from "./pod/follower.ts";
import type { PodState, Stuck } from "./pod/pod-state.ts";
import type { Runtime } from "./runtime.ts";

/** If a pod takes longer than this to appear, the reason is looked up. */
const noPodMs = 1_500;
const lookPauseMs = 5_000;
/** Refusals to create a pod don't go away by waiting, unless the reason is a quota. */
const refusedMs = 30_000;
/** For an unreachable registry: its node retries after 10 s. */
const briefMs = 20_000;
/** The minimum time between the assignment to a node and a collector that responds. */
const shortestStartMs = 300;
/** The cluster reports a running container up to a second late; so connecting is simply tried, a few times. */
const earlyTries = 8;
/** For a shorter start, its parts are not looked up. */
const quickStartMs = 2_000;

/** What an attempt waits for before its steps start: logs it, measures it, and decides when it took too long. */
export class WaitingTime {
  readonly #runtime: Runtime;
  readonly #job: string;
  readonly #say: (text: string) => void;
  readonly #createdAt = performance.now();
  readonly #stuckSince = new Map<string, number>();
  readonly #said = new Set<string>();
  #lastNotified: Stuck | undefined;
  #podAt: number | undefined;
  #placedAt: number | undefined;
  #isReady = false;
  #checkedAt = 0;
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

  /** There is no pod yet: looks up the reason from time to time. Not awaited. */
  lookForPod(): void {
    const uid = this.#runtime.watch.job(this.#job)?.metadata?.uid;
    const now = performance.now();
    if (uid === undefined || this.ageMs() < noPodMs || now - this.#checkedAt < lookPauseMs) return;
    this.#checkedAt = now;
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

  /** Whether it has been stuck in the same way for longer than the limit. */
  isOverdue({ phase, isCertain }: Stuck, limitMs: number): boolean {
    const since = this.#stuckSince.get(phase) ?? performance.now();
    this.#stuckSince.set(phase, since);
    return isCertain || performance.now() - since > limitMs;
  }

  /** The verdict if it has waited too long. Only to be called while no step runs. */
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

  /** Between two tries some nodes no longer report the result of the first one. */
  #lastWordOn(stuck: Stuck): Stuck {
    if (stuck.isVague && this.#lastNotified?.phase === stuck.phase && this.#lastNotified.step === stuck.step) return this.#lastNotified;
    this.#lastNotified = stuck;
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

  /** The essential part of the node's last message about a pod that does not start. */
  async problem(pod: V1Pod | undefined): Promise<string | undefined> {
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
