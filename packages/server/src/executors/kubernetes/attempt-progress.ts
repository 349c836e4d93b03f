import type { Job } from "../../engine/executor.ts";
import { inMebibytes } from "../folders/measure-tree.ts";
import { fileLimit, tooLarge, tooMany } from "../folders/overflow.ts";
import { failed, stepVerdict, stoppedVerdict, succeeded, type Verdict } from "../steps/outcomes.ts";
import type { AttemptOutput, OutputSink } from "../steps/step-output.ts";
import { conditionNote, valuesOfStep, valueVerdict } from "../steps/step-turn.ts";
import type { JobState } from "./job-state.ts";
import { memoryLimit } from "./pod/container-parts.ts";
import type { Frames, PodBreach, SidecarEnd } from "./pod/frame-reader.ts";
import type { StepFiles } from "./pod/step-files.ts";
import type { SidecarProgress } from "./sidecar-progress.ts";

/** What is known of an attempt from its collector. */
export class AttemptProgress implements Frames {
  /** How it ends according to its steps; undefined: not known yet. */
  verdict: Verdict | undefined;
  /** The container of this step died before it could report; index of the step. */
  lost: number | undefined;
  /** Everything was read. */
  isOver = false;
  /** Index of the step that runs or is the next to run, from 0. */
  nextStep = 0;
  /** By `performance.now()`. */
  firstBeginAt: number | undefined;
  readonly results = new Map<string, Buffer | "too large">();
  /** Index of the running step, from 0. */
  #running: number | undefined;
  readonly #sinks = new Map<"output" | "stderr", OutputSink>();
  #timer: NodeJS.Timeout | undefined;
  #areOld = false;

  readonly #job: Job;
  readonly #steps: readonly StepFiles[];
  readonly #state: JobState;
  readonly #output: AttemptOutput;
  readonly #limits: { graceMs: number; scratchBytes: number };
  readonly #sidecars: SidecarProgress;

  constructor(
    job: Job,
    steps: readonly StepFiles[],
    state: JobState,
    output: AttemptOutput,
    limits: { graceMs: number; scratchBytes: number },
    sidecars: SidecarProgress,
  ) {
    this.#job = job;
    this.#steps = steps;
    this.#state = state;
    this.#output = output;
    this.#limits = limits;
    this.#sidecars = sidecars;
  }

  get runningStep(): string | undefined {
    return this.#running === undefined ? undefined : this.#steps[this.#running]?.name;
  }

  /** Called again after a connection broke: known steps are ignored. */
  onBegin(step: number, agoMs: number): void {
    if (this.#running === step - 1) return;
    this.#running = step - 1;
    this.firstBeginAt ??= performance.now() - agoMs;
    const { name, step: described, notes } = this.#steps[step - 1] as StepFiles;
    for (const note of notes) this.#output.say(name, note);
    if (this.#job.debug) this.#output.say(name, "starts, isolated by kubernetes");
    const { timeoutMs } = described;
    if (timeoutMs === undefined) return;
    const stop = (): void => this.#state.halt({ why: "step-timedout", afterMs: timeoutMs }, this.#limits.graceMs);
    this.#timer = setTimeout(stop, Math.max(0, timeoutMs - agoMs));
  }

  onOutput(step: number, stream: "output" | "stderr", chunk: Buffer): void {
    const sink = this.#sinks.get(stream) ?? this.#output.open(this.#steps[step - 1]?.name ?? "", stream);
    this.#sinks.set(stream, sink);
    sink.push(chunk);
  }

  onSidecarOutput(sidecar: number, chunk: Buffer): void {
    this.#sidecars.onOutput(sidecar, chunk);
  }

  onSidecarEnd(sidecar: number, end: SidecarEnd): void {
    this.#sidecars.onEnd(sidecar, end);
    this.verdict ??= this.#state.isStopped ? undefined : this.#sidecars.verdict;
  }

  onUnready(sidecar: number, why: string, number: number): void {
    this.#sidecars.onUnready(sidecar, why, number);
    this.verdict ??= this.#state.isStopped ? undefined : this.#sidecars.verdict;
  }

  takeRoom(): Promise<void> | undefined {
    const rooms = [this.#output.takeRoom(), this.#sidecars.takeRoom()].filter((room) => room !== undefined);
    return rooms.length === 0 ? undefined : Promise.all(rooms).then(() => undefined);
  }

  onEnd(step: number, code: number | "lost", kills: number): void {
    const { name, step: described } = this.#steps[step - 1] as StepFiles;
    this.#endStep();
    this.nextStep = step;
    if (this.#state.cause && this.verdict === undefined) {
      this.verdict = stoppedVerdict(this.#state.cause, name, this.#job.timeoutMs);
      return;
    }
    if (code === "lost") {
      this.lost ??= step - 1;
      return;
    }
    const memoryText = inMebibytes(memoryLimit(this.#job, described.resources?.limits?.memoryBytes));
    const verdict = stepVerdict(name, { exitCode: code }, kills, memoryText);
    if (verdict.status === "succeeded") this.#succeed(step);
    else if (described.onError !== "continue") this.verdict ??= verdict;
    else {
      this.#output.say(name, `${verdict.message}; the task continues, because the step has onError: continue`);
      this.#succeed(step);
    }
  }

  onSkip(step: number): void {
    this.nextStep = step;
    this.#output.say(this.#steps[step - 1]?.name ?? "", conditionNote);
    this.#succeed(step);
  }

  onRefuse(step: number, value: number, why: string): void {
    const { name, step: described } = this.#steps[step - 1] as StepFiles;
    this.nextStep = step;
    const known = (["missing", "large", "long"] as const).find((one) => one === why);
    const problem = failed(
      "ExecutorError",
      `step "${name}" could not be given the results of earlier steps: the collector reported no reason`,
    );
    this.verdict ??= known ? valueVerdict(name, valuesOfStep(described)[value - 1], known) : problem;
  }

  onBreach({ kibibytes, files, gone, other, unseen, volume }: PodBreach): void {
    const full = this.#job.volumes?.[volume - 1];
    if (full) {
      const volumeLimit = { label: `volume "${full.name}"`, limitBytes: full.scratch?.sizeLimitBytes ?? 0 };
      return this.#breach(tooLarge(volumeLimit, kibibytes * 1024, {}));
    }
    const limited = { label: "its scratch folder", limitBytes: this.#limits.scratchBytes };
    const most = fileLimit(limited.limitBytes);
    // The files that the node adds take a few KiB in every container.
    const parts = { unlinkedBytes: gone * 1024, volumeBytes: other < 1024 ? 0 : other * 1024, hiddenBytes: unseen * 1024 };
    const message = files > most ? tooMany(limited.label, most) : tooLarge(limited, kibibytes * 1024, parts);
    this.#breach(message);
  }

  #breach(message: string): void {
    this.#state.halt({ why: "breach", breach: { reason: "WorkspaceFull", message } }, this.#limits.graceMs);
  }

  /**
   * Results from the previous connection count until new ones arrive. The step chooses their names, so results of two connections are not
   * kept together.
   */
  onRestart(): void {
    this.#areOld = true;
  }

  onResult(name: string, bytes: Buffer | "too large"): void {
    if (this.#areOld) this.results.clear();
    this.#areOld = false;
    this.results.set(name, bytes);
  }

  onOver(): void {
    this.isOver = true;
    this.close();
    this.#state.wake();
  }

  /** Nothing more comes: what was held back is written. */
  close(): void {
    this.#endStep();
    this.#sidecars.close();
  }

  #endStep(): void {
    clearTimeout(this.#timer);
    for (const sink of this.#sinks.values()) sink.end();
    this.#sinks.clear();
    this.#running = undefined;
  }

  #succeed(step: number): void {
    if (step === this.#steps.length) this.verdict ??= succeeded;
  }
}
