import type { Job } from "../../engine/executor.ts";
import { inMebibytes } from "../folders/measure-tree.ts";
import { imageReason } from "../images/image-failure.ts";
import { failed, invalid, lost, stepVerdict, succeeded, type Verdict } from "../steps/outcomes.ts";
import { EngineAway, EngineRefusal } from "./engine/engine-error.ts";
import type { EngineFacts } from "./engine/engine-facts.ts";
import type { EngineWatch } from "./engine/engine-watch.ts";
import { ImageProblem } from "./images/image-problem.ts";
import { NetworkProblem } from "./network/attempt-network.ts";
import type { PreparedStep } from "./prepare-steps.ts";
import type { ContainerEnd } from "./step-container.ts";
import { memoryLimit } from "./step-spec.ts";

/** The outcome of a step, and what a shell would have printed about it. */
export interface Judged {
  verdict: Verdict;
  lastWords?: string;
}

const engineStops = new Set([129, 137, 143, 255]);

/** @param complaint the last line of its output */
export function judgeEnd(prepared: PreparedStep, end: ContainerEnd, complaint: string, job: Job, facts: EngineFacts | undefined): Judged {
  const { name, step } = prepared;
  if (end.exitCode === 0) return { verdict: succeeded };
  const unstarted = end.exitCode === 1 ? /^ERROR \(catatonit:\d+\): failed to exec pid1: (.*)$/.exec(complaint)?.[1] : undefined;
  if (unstarted !== undefined) return notStarted(prepared, unstarted);
  if (end.wasAway && engineStops.has(end.exitCode)) {
    const message = `step "${name}" ended with exit code ${end.exitCode} because the container engine was stopped or restarted while it ran, or someone else stopped the container`;
    return { verdict: { ...lost("ExecutorUnavailable", message), exitCode: end.exitCode } };
  }
  const isGuess = end.exitCode === 137 && facts?.canTellOutOfMemory === false && facts.limits.memory;
  const memoryText = inMebibytes(memoryLimit(job, step.resources?.limits?.memoryBytes));
  const verdict = stepVerdict(name, { exitCode: end.exitCode }, end.isOutOfMemory || isGuess ? 1 : 0, memoryText);
  if (!isGuess) return { verdict };
  return { verdict: { ...verdict, message: `${verdict.message}, most likely: it was killed, and this engine doesn't report why` } };
}

/** A program that does not exist or can't be executed, reported as a shell would. */
function notStarted({ name, argv }: PreparedStep, words: string): Judged {
  const program = argv[0] ?? "the program of its image";
  const exitCode = /permission denied|exec format error|is a directory/i.test(words) ? 126 : 127;
  return {
    verdict: stepVerdict(name, { exitCode }, 0, ""),
    lastWords: `${program}: ${exitCode === 127 ? "not found" : words.trim()}`,
  };
}

/** @returns undefined if the error is not about an engine or an image */
export function judgeFailure(error: unknown, address: string, prepared?: PreparedStep): Judged | undefined {
  if (error instanceof NetworkProblem) return { verdict: failed("SandboxUnavailable", error.message) };
  if (error instanceof ImageProblem) return { verdict: failed(imageReason(error.reason), error.message) };
  if (error instanceof EngineAway) {
    const message = `the container engine can't be reached: ${error.message}. Its address is ${address}; check that it is running, and that this service has permission to use it`;
    return { verdict: lost("ExecutorUnavailable", message) };
  }
  return error instanceof EngineRefusal ? judgeRefusal(error, prepared) : undefined;
}

const noSpace = /no space left on device|disk quota exceeded/i;

/**
 * If the engine's disk is full, a refusal is the fault of the machine. But the message may contain text that a task has written, so this is
 * confirmed by trying whether the engine refuses a container of ours as well.
 */
export async function judgeEngine(verdict: Verdict, error: unknown, watch: Pick<EngineWatch, "confirm">): Promise<Verdict> {
  if (!(error instanceof Error) || !noSpace.test(error.message)) return verdict;
  return (await watch.confirm()) ? lost("MachineFault", verdict.message) : verdict;
}

function judgeRefusal({ message, status }: EngineRefusal, prepared: PreparedStep | undefined): Judged {
  if (prepared === undefined)
    return { verdict: failed("ExecutorError", `the task could not be prepared; the container engine reported: ${message}`) };
  const { name, workingDir } = prepared;
  if (noSpace.test(message)) {
    const remedy = "the disk of the container engine is full; free some space there, for example by docker system prune";
    return { verdict: failed("ExecutorError", `step "${name}" could not be started: ${remedy} (${message})`) };
  }
  if (isAboutFolder(message, workingDir)) {
    const lastWords = `cannot enter the working directory ${workingDir}`;
    return { verdict: stepVerdict(name, { exitCode: 126 }, 0, ""), lastWords };
  }
  const program = /exec: "[^"]*": (.*)|OCI runtime attempted to invoke a command that was not found/s.exec(message);
  if (program) return notStarted(prepared, program[1] ?? "not found");
  if (/no command specified|no command or entrypoint/i.test(message))
    return {
      verdict: invalid("InvalidTask", `step "${name}" has neither a script nor a command, and its image has no command either`),
    };
  const gone = status === 404 && /no such container|no container with/i.test(message);
  if (gone)
    return {
      verdict: lost(
        "ExecutorUnavailable",
        `step "${name}" has lost its container: the engine no longer knows it, or someone else removed it`,
      ),
    };
  return { verdict: failed("ExecutorError", `step "${name}" could not be run; the container engine reported: ${message}`) };
}

function isAboutFolder(message: string, workingDir: string): boolean {
  return (/\bmkdir |chdir to cwd|cwd/.test(message) && message.includes(workingDir.replace(/\/+$/, ""))) || /chdir to cwd/.test(message);
}
