import type { V1Pod } from "@kubernetes/client-node";
import type { JobWaits } from "../../engine/executor.ts";
import { inMebibytes } from "../folders/measure-tree.ts";
import { failed, lost, stepVerdict, stoppedVerdict, type Verdict } from "../steps/outcomes.ts";
import { collectResults } from "../steps/read-results.ts";
import { defaultSidecarReadyMs, withProblems } from "../steps/sidecar-verdicts.ts";
import { AttemptProgress } from "./attempt-progress.ts";
import type { AttemptRun, Ending } from "./attempt-run.ts";
import { memoryLimit } from "./pod/container-parts.ts";
import { Follower } from "./pod/follower.ts";
import { StopRequest } from "./pod/pod-exec.ts";
import { type ContainerNames, containerEnd, jobPlace, type PodState, podState } from "./pod/pod-state.ts";
import type { AttemptFiles } from "./pod/step-files.ts";
import { ownerOf } from "./remove-job.ts";
import { defaultNodeLostMs, defaultOutageMs, defaultScratchBytes } from "./settings.ts";
import { SidecarProgress } from "./sidecar-progress.ts";
import { WaitingTime } from "./waiting-time.ts";

/**
 * Takes care of an existing Job until its outcome is known. A loop looks at the whole state whenever something changes: what the cluster
 * reports about the pod, what the collector reported, whether it is to stop. In whatever order things happen, the same state leads to the
 * same next action:
 *
 *     waiting --(collector can be asked)--> following --(reported the end of all)--> outcome
 *        |                                      |  ^--(connection broke)--- continues where it was
 *        |                                      '--(asked to stop)--> the collector is notified; its last words and results are read
 *        '--(stopped, or stuck for too long)--> outcome
 *     any --(pod gone for good, cluster unreachable for too long, another owner)--> outcome
 */
export async function attendJob(run: AttemptRun, name: string, files: AttemptFiles): Promise<Ending> {
  const attendance = new Attendance(run, name, files);
  const stopListening = run.runtime.watch.listen(name, run.state.wake);
  try {
    return await attendance.attend();
  } finally {
    stopListening();
    attendance.close();
  }
}

/** How long a stop may take beyond its grace period before the Job is removed without its last words. */
const lastWordsMs = 10_000;
/** The maximum delay of the watch behind a write. */
const settleMs = 5_000;
/** How long the status of a container may take to appear after its death. */
const statusMs = 10_000;

class Attendance {
  readonly #run: AttemptRun;
  readonly #name: string;
  readonly #names: readonly string[];
  readonly #containers: ContainerNames;
  readonly #files: AttemptFiles;
  readonly #progress: AttemptProgress;
  readonly #sidecars: SidecarProgress;
  readonly #follower: Follower;
  readonly #stop: StopRequest;
  readonly #waiting: WaitingTime;
  #pod: V1Pod | undefined;
  #wasSeen = false;
  #overAt: number | undefined;

  constructor(run: AttemptRun, name: string, files: AttemptFiles) {
    const { runtime, job, state, output } = run;
    const { settings, cluster } = runtime;
    this.#run = run;
    this.#name = name;
    this.#files = files;
    this.#names = files.steps.map((step) => step.name);
    this.#containers = { steps: this.#names, sidecars: files.sidecars.map(({ sidecar }) => sidecar.name) };
    const limits = { graceMs: settings.graceMs, scratchBytes: settings.scratchBytes ?? defaultScratchBytes };
    this.#sidecars = new SidecarProgress(run, files.sidecars, settings.sidecarReadyMs ?? defaultSidecarReadyMs);
    this.#progress = new AttemptProgress(job, files.steps, state, output, limits, this.#sidecars);
    this.#follower = new Follower(cluster, this.#progress, job, state.wake);
    this.#stop = new StopRequest(cluster, state.wake);
    this.#waiting = new WaitingTime(runtime, name, (text) => output.say(this.#names[0] ?? "", text));
  }

  close(): void {
    this.#follower.close();
    this.#waiting.close();
  }

  async attend(): Promise<Ending> {
    const { state } = this.#run;
    for (;;) {
      const found = this.#look();
      const verdict = this.#decide(found);
      if (verdict) return this.#end(verdict);
      this.#act(found);
      await state.changed(this.#pauseMs());
    }
  }

  #look(): PodState {
    const { watch } = this.#run.runtime;
    const job = watch.job(this.#name);
    const pod = watch.podOf(this.#name);
    const isGone = (this.#pod !== undefined && pod === undefined) || (this.#wasSeen && job === undefined);
    this.#wasSeen ||= job !== undefined;
    this.#pod = pod ?? this.#pod;
    const found = this.#withoutClaims(podState(job, this.#pod, this.#containers));
    if (!isGone || found.dead) return found;
    return { ...found, dead: lost("Evicted", "the pod was removed from the cluster: a drain, a pre-emption, or someone deleted it") };
  }

  /** If a container has run, then it could be started: an end that claims otherwise was written by its step. */
  #withoutClaims({ stuck, ...others }: PodState): PodState {
    const { firstBeginAt, nextStep, runningStep } = this.#progress;
    const begun = nextStep + (runningStep === undefined ? 0 : 1);
    // No step starts before the containers of all of them exist.
    const isOver = stuck?.isSidecar === true || (stuck?.step !== undefined && stuck.step < begun);
    const isClaim = firstBeginAt !== undefined && isOver;
    return { ...others, ...(stuck && !isClaim && { stuck }) };
  }

  /** @returns the verdict, if the attempt has ended */
  #decide(found: PodState): Verdict | undefined {
    const { state, runtime, job } = this.#run;
    const progress = this.#progress;
    if (progress.isOver) return this.#conclude();
    if (state.isReleased) return this.#stopped("shutdown");
    if (this.#isTakenUp()) return failed("ExecutorError", "another worker took over the Job");
    // A failure that was found before the pod was removed takes precedence: e.g. the cluster removes the pods of a lost node.
    if (found.dead && state.failure) return state.failure;
    if (found.dead) return state.cause ? stoppedVerdict(state.cause, progress.runningStep, job.timeoutMs) : found.dead;
    if (runtime.watch.outageMs() > (runtime.settings.outageMs ?? defaultOutageMs))
      return failed("ExecutorUnavailable", "the cluster could not be reached for too long");
    const late = this.#lateVerdict(found);
    if (late) state.fail(late, 0);
    if (!state.isStopped) return undefined;
    const canAnswer = this.#hasLastWords(found) && (found.isReady || this.#follower.isOpen);
    const isPatient = performance.now() - (state.stoppedAt ?? 0) < state.graceMs + lastWordsMs;
    if (canAnswer && isPatient) return undefined;
    return this.#stoppedVerdict();
  }

  /** Not at once: for a Job that was just taken over, the watch may still show the former owner. */
  #isTakenUp(): boolean {
    const { watch, settings } = this.#run.runtime;
    const job = watch.job(this.#name);
    return job !== undefined && ownerOf(job) !== settings.owner && this.#waiting.ageMs() > settleMs;
  }

  /** Steps that never started have no last words, and a node that does not respond can't send any. */
  #hasLastWords({ stuck }: PodState): boolean {
    if (stuck === undefined) return true;
    return stuck.phase !== "node" && this.#progress.firstBeginAt !== undefined;
  }

  #lateVerdict(found: PodState): Verdict | undefined {
    const { settings } = this.#run.runtime;
    const { runningStep, firstBeginAt, nextStep } = this.#progress;
    const isWaiting = runningStep === undefined;
    const limitMs = settings.nodeLostMs ?? defaultNodeLostMs;
    if (found.stuck?.phase === "node") return this.#waiting.isOverdue(found.stuck, limitMs) ? found.stuck.verdict : undefined;
    if (firstBeginAt !== undefined && this.#unreachableMs() > limitMs)
      return lost("NodeLost", `the node ${this.#pod?.spec?.nodeName} can't be reached: ${this.#follower.problem || "it does not respond"}`);
    // Steps of a Job of an earlier version start while images of later ones are still being pulled.
    if (firstBeginAt !== undefined && (found.stuck?.step ?? 0) > nextStep) return undefined;
    return isWaiting ? this.#waiting.overdue(found, this.#pod, firstBeginAt !== undefined) : undefined;
  }

  /** How long the pod has not responded although the cluster does. A node whose agent died may be reported as lost late or never. */
  #unreachableMs(): number {
    const { brokenAt } = this.#follower;
    return brokenAt === undefined || this.#run.runtime.watch.outageMs() > 0 ? 0 : performance.now() - brokenAt;
  }

  #act(found: PodState): void {
    const { state } = this.#run;
    const pod = this.#pod?.metadata?.name;
    if (pod === undefined) return this.#waiting.lookForPod();
    this.#waiting.seePod(found, this.#follower);
    if (this.#waiting.mayConnect(found, this.#follower)) this.#follower.connect(pod);
    if (state.isStopped && (found.isReady || this.#follower.isOpen)) this.#stop.send(pod, state.graceMs);
  }

  #pauseMs(): number {
    const untilTry = this.#follower.isOpen ? 1_000 : this.#follower.nextTryAt - performance.now();
    return Math.min(1_000, Math.max(20, untilTry));
  }

  /** Everything was read. */
  #conclude(): Verdict | undefined {
    const { state, job } = this.#run;
    const { verdict, lost } = this.#progress;
    if (verdict) return verdict;
    if (state.failure) return state.failure;
    if (state.cause) return this.#stoppedVerdict();
    if (lost === undefined) return failed("ExecutorError", "the steps ended without reporting how");
    // The container died suddenly with all its processes; only the cluster knows why.
    const end = containerEnd(this.#pod, lost);
    this.#overAt ??= performance.now();
    if (end === undefined && performance.now() - this.#overAt < statusMs) {
      this.#progress.isOver = true;
      return undefined;
    }
    const { name, step } = this.#files.steps[lost] ?? { name: "", step: undefined };
    const memoryText = inMebibytes(memoryLimit(job, step?.resources?.limits?.memoryBytes));
    return stepVerdict(name, { exitCode: end?.exitCode || 137 }, end?.isOutOfMemory ? 1 : 0, memoryText);
  }

  #stoppedVerdict(): Verdict {
    const { state, job } = this.#run;
    return state.failure ?? stoppedVerdict(state.cause ?? { why: "cancelled" }, this.#progress.runningStep, job.timeoutMs);
  }

  #stopped(why: "shutdown"): Verdict {
    return stoppedVerdict({ why }, this.#progress.runningStep, this.#run.job.timeoutMs);
  }

  async #end(verdict: Verdict): Promise<Ending> {
    const { job, masker, state } = this.#run;
    state.isOver = true;
    this.#progress.close();
    const found = this.#progress.results;
    const { results, problem } = await collectResults(job, [...found.keys()], masker, (name, limitBytes) => {
      const bytes = found.get(name);
      return bytes !== "too large" && bytes !== undefined && bytes.length > limitBytes ? "too large" : bytes;
    });
    const place = jobPlace(
      this.#pod,
      this.#names,
      this.#files.sidecars.map(({ name }) => name),
    );
    const waits: JobWaits = await this.#waiting.waits(this.#pod, this.#progress.firstBeginAt);
    const final = verdict.status === "succeeded" && problem ? failed(problem.reason, problem.message) : verdict;
    return { verdict: withProblems(final, this.#sidecars.problems), results, ...(place && { place }), waits };
  }
}
