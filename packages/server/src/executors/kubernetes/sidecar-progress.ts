import { inMebibytes } from "../folders/measure-tree.ts";
import { stepVerdict, type Verdict } from "../steps/outcomes.ts";
import { describePort } from "../steps/probe-request.ts";
import { endBeforeSteps, endedText, notReady, sidecarVerdict } from "../steps/sidecar-verdicts.ts";
import { AttemptOutput, type OutputSink } from "../steps/step-output.ts";
import type { AttemptRun } from "./attempt-run.ts";
import { memoryLimit } from "./pod/container-parts.ts";
import type { SidecarEnd } from "./pod/frame-reader.ts";
import type { SidecarFiles } from "./pod/step-files.ts";

/** What is known about the sidecars of an attempt from its collector. */
export class SidecarProgress {
  /** How the attempt ends, if a sidecar prevented its first step from starting. */
  verdict: Verdict | undefined;
  readonly #run: Pick<AttemptRun, "job" | "masker" | "onLines" | "state">;
  readonly #sidecars: readonly SidecarFiles[];
  readonly #readyMs: number;
  readonly #outputs: { output: AttemptOutput; sink: OutputSink }[];
  readonly #problems = new Map<string, string>();
  readonly #over = new Set<number>();

  constructor(run: Pick<AttemptRun, "job" | "masker" | "onLines" | "state">, sidecars: readonly SidecarFiles[], readyMs: number) {
    this.#run = run;
    this.#sidecars = sidecars;
    this.#readyMs = readyMs;
    this.#outputs = sidecars.map(({ name, limits, notes }) => {
      const output = new AttemptOutput(run.masker, limits.outputBytes, run.onLines);
      for (const note of notes) output.say(name, note);
      return { output, sink: output.open(name, "output") };
    });
  }

  /** Failures of sidecars, a sentence each. */
  get problems(): string[] {
    return [...this.#problems.values()];
  }

  onOutput(index: number, chunk: Buffer): void {
    this.#outputs[index]?.sink.push(chunk);
  }

  takeRoom(): Promise<void> | undefined {
    const rooms = this.#outputs.flatMap(({ output }) => output.takeRoom() ?? []);
    return rooms.length === 0 ? undefined : Promise.all(rooms).then(() => undefined);
  }

  /** Called again after a connection broke. */
  onEnd(index: number, { code, kills, when }: SidecarEnd): void {
    const found = this.#sidecars[index];
    if (found === undefined || this.#over.has(index)) return;
    this.#over.add(index);
    const { output, sink } = this.#outputs[index] as { output: AttemptOutput; sink: OutputSink };
    sink.end();
    if (when === "asked") return;
    const { name } = found.sidecar;
    const memoryText = inMebibytes(memoryLimit({ ...this.#run.job, limits: found.limits }, found.sidecar.resources?.limits?.memoryBytes));
    const verdict = sidecarVerdict(stepVerdict(found.name, { exitCode: code === "lost" ? 137 : code }, kills, memoryText), name);
    const isFailure = verdict.status !== "succeeded";
    output.say(found.name, isFailure ? verdict.message : endedText);
    if (when === "early") this.verdict ??= endBeforeSteps(name, verdict);
    else if (isFailure) this.#problems.set(name, verdict.message);
  }

  onUnready(index: number, why: string, number: number): void {
    const name = this.#sidecars[index]?.sidecar.name ?? "";
    const words = this.#words(index, why, number);
    if (this.#run.state.isStopped)
      this.#problems.set(name, `sidecar "${name}" was not ready${words ? `: its readiness probe ${words}` : ""}`);
    else this.verdict ??= notReady(name, this.#readyMs, words);
  }

  close(): void {
    for (const { sink } of this.#outputs) sink.end();
  }

  #words(index: number, why: string, number: number): string | undefined {
    const probe = this.#sidecars[index]?.sidecar.probe;
    if (probe === undefined) return undefined;
    if (why === "timeout") return `did not respond within ${probe.timeoutMs / 1000} s`;
    if (why === "exit") return `ended with exit code ${number}`;
    return why === "port" && probe.action.kind !== "exec" ? describePort(probe.action, number) : undefined;
  }
}
