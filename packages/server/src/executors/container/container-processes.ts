import { readFile } from "node:fs/promises";
import { descendants, readProcessTable } from "../process/process-table.ts";
import type { AttemptState } from "../steps/attempt-state.ts";
import type { EngineWatch } from "./engine/engine-watch.ts";
import type { StepContainer } from "./step-container.ts";

/** The table of all processes of a machine consists of hundreds of files; with many containers it must not be read all the time. */
const foundForMs = 1_000;

/**
 * Finds the processes of running containers (step and sidecars), to see which files they have open. The engine gives the first process by
 * its number on the engine's machine, which may not be ours (a virtual machine, or the service in a container): the number counts only if
 * that process is found to belong to this container.
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

/** The running step, and the sidecars. */
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
    // The container has not started, or the engine is unreachable: ask again next time.
    known = pid ? { id, pid } : undefined;
  };
  return async () => {
    const { id } = container;
    if (id === undefined) return [];
    // Not awaited: an engine that doesn't respond must not delay the measuring of the folders, nor the end of the attempt.
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
