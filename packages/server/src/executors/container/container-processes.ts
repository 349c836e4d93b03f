import { readFile } from "node:fs/promises";
import { descendants, readProcessTable } from "../process/process-table.ts";
import type { AttemptState } from "../steps/attempt-state.ts";
import type { EngineWatch } from "./engine/engine-watch.ts";
import type { StepContainer } from "./step-container.ts";

/** The table of all processes of a machine is hundreds of files; with many containers it must not be read all the time. */
const foundForMs = 1_000;

/**
 * Finds the processes of containers that run, step and sidecars, for what they hold open. The engine names the first one by a number of its own machine,
 * which may be another one than ours (a virtual machine, or the service in a container): it counts only when that process says that
 * it is of this container.
 *
 * @returns none where the processes of containers can't be seen
 */
export function findContainerProcesses(watch: EngineWatch, containers: () => readonly StepContainer[]): () => Promise<number[]> {
  const finders = new WeakMap<StepContainer, () => Promise<number[]>>();
  const finderOf = (container: StepContainer): (() => Promise<number[]>) => {
    const found = finders.get(container) ?? findProcessesOf(watch, container);
    finders.set(container, found);
    return found;
  };
  return async () => (await Promise.all(containers().map((container) => finderOf(container)()))).flat();
}

/** The step that runs, and the sidecars. */
export function containersOf({ step, sidecars = [] }: AttemptState<StepContainer>): StepContainer[] {
  return step ? [step.unit, ...sidecars] : sidecars;
}

function findProcessesOf(watch: EngineWatch, container: StepContainer): () => Promise<number[]> {
  let known: { id: string; pid: number } | undefined;
  let found: { at: number; pids: number[] } = { at: Number.NEGATIVE_INFINITY, pids: [] };
  const ask = async (id: string): Promise<void> => {
    known = { id, pid: 0 };
    found = { at: Number.NEGATIVE_INFINITY, pids: [] };
    const pid = await watch.engine?.client.state(id).then(
      (container) => container.Pid,
      () => 0,
    );
    if (known.id !== id) return;
    // One that has not started, or an engine that is away: it is asked again.
    known = pid ? { id, pid } : undefined;
  };
  return async () => {
    const { id } = container;
    if (id === undefined) return [];
    // Nobody waits for the answer: an engine that does not give one must not hold up the look at the folders, nor the end of the attempt.
    if (known?.id !== id) void ask(id);
    const pid = known?.id === id ? known.pid : 0;
    if (pid === 0 || !(await isOf(pid, id))) return [];
    if (performance.now() - found.at < foundForMs) return found.pids;
    const table = await readProcessTable();
    found = { at: performance.now(), pids: [pid, ...descendants(table, pid).map((entry) => entry.pid)] };
    return found.pids;
  };
}

async function isOf(pid: number, id: string): Promise<boolean> {
  const groups = await readFile(`/proc/${pid}/cgroup`, "utf8").catch(() => "");
  return groups.includes(id);
}
