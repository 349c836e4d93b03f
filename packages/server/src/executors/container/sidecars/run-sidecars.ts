import { setTimeout as pause } from "node:timers/promises";
import type { JobSidecar } from "../../../core/task/tekton/sidecars/job-sidecars.ts";
import { invalid, type Verdict } from "../../steps/outcomes.ts";
import { defaultSidecarReadyMs, endBeforeSteps, endedText, notReady, sidecarVerdict, withProblems } from "../../steps/sidecar-verdicts.ts";
import type { AttemptOutput } from "../../steps/step-output.ts";
import { StepProblem } from "../../steps/step-problem.ts";
import { containerName, holderName } from "../labels.ts";
import { OutputStreams } from "../output/output-streams.ts";
import type { PreparedStep } from "../prepare-steps.ts";
import { watchRoot } from "../root-watch.ts";
import { judge } from "../run-step.ts";
import type { Stage } from "../stage.ts";
import { startContainer } from "../start-container.ts";
import type { StepContainer } from "../step-container.ts";
import { sidecarMounts } from "./sidecar-mounts.ts";
import { SidecarProbe } from "./sidecar-probe.ts";

/** The pause between two probes is this many times the duration of the last one. */
const restFactor = 3;

interface Sidecar {
  /** The name in the document. */
  name: string;
  described: JobSidecar;
  /** Name of its container. */
  unit: string;
  container: StepContainer;
  started: Promise<void>;
  /** Resolves when it has ended and its output was read; rejects on errors that are not about an engine or an image. */
  end: Promise<Verdict>;
  /** Set when it has ended. */
  verdict?: Verdict;
  isReady?: true;
  /** The last outcome of its readiness probe, for messages. */
  lastWord?: string;
}

/**
 * The sidecars of an attempt: all are started at once, the first step waits until each is ready, and they are ended after the last step.
 * One that fails before the first step fails the attempt; a later failure is only reported, and the steps decide. Those of a lost attempt
 * are taken over with its step.
 */
export class RunningSidecars {
  readonly #stage: Stage;
  readonly #sidecars: Sidecar[];
  #areAsked = false;
  #haveSteps = false;
  /** Aborted when nothing waits for a sidecar any more. */
  readonly #decided = new AbortController();
  readonly #problems: string[] = [];

  constructor(stage: Stage, prepared: readonly PreparedStep[]) {
    this.#stage = stage;
    const { job, adopted } = stage;
    this.#haveSteps = adopted !== undefined;
    this.#sidecars = (job.sidecars ?? []).flatMap((described, index) => {
      const own = prepared[index] as PreparedStep;
      const { limits, output } = stage.sidecars[index] as Stage["sidecars"][number];
      if (adopted === undefined || adopted.sidecars.has(index))
        return [this.#start({ ...stage, job: { ...job, limits }, output }, described, own, index)];
      this.#problems.push(`sidecar "${described.name}" was gone when this attempt took over`);
      output.say(own.name, "it was gone when this attempt took over the steps");
      return [];
    });
  }

  /**
   * @returns undefined if the first step may start, or the attempt is to stop; otherwise why it ends before that. @throws errors that are
   * not about an engine or an image
   */
  async ready(): Promise<Verdict | undefined> {
    if (this.#haveSteps) return undefined;
    const waiting = this.#sidecars.map((sidecar) => this.#awaitReady(sidecar));
    const failure = new Promise<Verdict>((resolve) => {
      for (const one of waiting) one.then((verdict) => verdict && resolve(verdict), ignore);
    });
    const verdict = await Promise.race([failure, Promise.all(waiting).then(() => undefined)]);
    this.#decided.abort();
    this.#haveSteps = true;
    this.#nameUnready();
    const late = this.#sidecars.find((sidecar) => sidecar.verdict !== undefined && sidecar.verdict.status !== "succeeded");
    return verdict ?? (late?.verdict && endBeforeSteps(late.name, late.verdict));
  }

  /** With the verdict of an attempt that was stopped while it waited. */
  #nameUnready(): void {
    if (this.#stage.state.cause === undefined) return;
    for (const { name, described, isReady, lastWord } of this.#sidecars) {
      if (isReady || described.probe === undefined) continue;
      this.#problems.push(`sidecar "${name}" was not ready${lastWord === undefined ? "" : `: its readiness probe ${lastWord}`}`);
    }
  }

  /** How the attempt ends, with the failures of sidecars added. */
  describe(verdict: Verdict): Verdict {
    return withProblems(verdict, this.#problems);
  }

  /** Ends all of them; never rejects. */
  async end(): Promise<void> {
    const { runtime, state } = this.#stage;
    this.#areAsked = true;
    const graceMs = state.graceMs ?? runtime.settings.graceMs;
    for (const { container } of this.#sidecars) container.stop(graceMs);
    await Promise.allSettled(this.#sidecars.map(({ end }) => end));
    // Not before: an attempt that takes over the steps needs to see how each sidecar ended.
    for (const { container, unit } of this.#sidecars) this.#stage.removals.push(runtime.leftovers.remove(container.id ?? unit));
  }

  #start(stage: Stage, described: JobSidecar, prepared: PreparedStep, index: number): Sidecar {
    const { runtime, state, output, adopted, job, attempt } = stage;
    const { name } = described;
    const streams = new OutputStreams();
    output.read(prepared.name, runtime.watch.engine?.facts.starter ? "output" : "stdout", streams.stdout);
    output.read(prepared.name, "stderr", streams.stderr);
    for (const note of prepared.notes) output.say(prepared.name, note);
    let onStart = (): void => undefined;
    const started = new Promise<void>((resolve) => (onStart = resolve));
    const container = startContainer(stage, {
      prepared,
      streams,
      mounts: sidecarMounts(job, attempt, described, index),
      begun: adopted?.sidecars.get(index),
      onStart: () => onStart(),
    });
    state.sidecars = [...(state.sidecars ?? []), container];
    const stopWatch = described.hasWritableRoot ? watchRoot(stage, container, `the writable layer of sidecar "${name}"`) : undefined;
    const follow = async (): Promise<Verdict> => {
      try {
        const { verdict, lastWords } = await judge(stage, prepared, container, streams);
        await streams.end(lastWords);
        const named = sidecarVerdict(verdict, name);
        sidecar.verdict = named;
        this.#sayEnd(output, prepared.name, named);
        return named;
      } catch (error) {
        if (!(error instanceof StepProblem)) throw error;
        const problem = sidecarVerdict(invalid("InvalidTask", error.message), name);
        const isNamed = problem.message.includes(`sidecar "${name}"`);
        sidecar.verdict = isNamed ? problem : { ...problem, message: `sidecar "${name}" can't be run: ${error.message}` };
        return sidecar.verdict;
      } finally {
        stopWatch?.();
      }
    };
    const end = follow();
    end.catch(() => undefined);
    const sidecar: Sidecar = { name, described, unit: containerName(runtime.root, attempt.name, prepared.index), container, started, end };
    return sidecar;
  }

  #sayEnd(output: AttemptOutput, logName: string, { status, message }: Verdict): void {
    if (this.#areAsked || this.#stage.state.cause) return;
    const isFailure = status !== "succeeded";
    output.say(logName, isFailure ? message : endedText);
    if (isFailure && this.#haveSteps) this.#problems.push(message);
  }

  async #awaitReady(sidecar: Sidecar): Promise<Verdict | undefined> {
    const { name, started, end, described } = sidecar;
    const isOver = await Promise.race([started.then(() => false), end.then(() => true)]);
    if (!isOver && described.probe) {
      const problem = await this.#probe(sidecar, described.probe);
      if (problem) return problem;
    }
    return sidecar.verdict && endBeforeSteps(name, sidecar.verdict);
  }

  async #probe(sidecar: Sidecar, probe: NonNullable<JobSidecar["probe"]>): Promise<Verdict | undefined> {
    const { runtime, attempt, stopped } = this.#stage;
    const { name, container, end } = sidecar;
    const over = new AbortController();
    const signal = AbortSignal.any([stopped, over.signal, this.#decided.signal]);
    const abort = () => over.abort();
    end.then(abort, abort);
    const holder = holderName(runtime.root, attempt.name);
    const asking = new SidecarProbe({ watch: runtime.watch, probe, container: container.id ?? "", holder, signal });
    const readyMs = runtime.settings.sidecarReadyMs ?? defaultSidecarReadyMs;
    const until = performance.now() + probe.initialDelayMs + readyMs;
    try {
      await pause(probe.initialDelayMs, undefined, { signal });
      for (let successes = 0; ; ) {
        const askedAt = performance.now();
        const why = await asking.ask();
        signal.throwIfAborted();
        sidecar.lastWord = why;
        successes = why === undefined ? successes + 1 : 0;
        if (successes >= probe.successes) {
          sidecar.isReady = true;
          return undefined;
        }
        if (performance.now() > until) return notReady(name, readyMs, why);
        // Each probe costs the engine as much time as a start: a slow engine is not asked all the time.
        await pause(Math.max(probe.periodMs, restFactor * (performance.now() - askedAt)), undefined, { signal });
      }
    } catch (error) {
      // The sidecar ended, or the attempt is to stop.
      if (signal.aborted) return over.signal.aborted ? endBeforeSteps(name, await end) : undefined;
      throw error;
    } finally {
      asking.close();
    }
  }
}

function ignore(): void {
  // The rejection is handled for all of them together.
}
