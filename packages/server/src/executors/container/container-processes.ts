import { readFile } from "node:fs/promises";
import { descendants, readProcessTable } from "../process/process-table.ts";
import type { AttemptState } from "../steps/attempt-state.ts";
import type { EngineWatch } from "./engine-watch.ts";
import type { StepContainer } from "./step-container.ts";

/**
 * Finds the processes of the running step, for what they hold open. The engine names the first one by a number of its own machine, which may be
 * another one than ours (a virtual machine, or the service in a container): it counts only when that process says that it is of this container.
 *
 * @returns none where the processes of containers can't be seen
 */
export function findContainerProcesses(watch: EngineWatch, state: AttemptState<StepContainer>): () => Promise<number[]> {
  let known: { id: string; pid: number } | undefined;
  return async () => {
    const id = state.step?.unit.id;
    const client = watch.engine?.client;
    if (id === undefined || client === undefined) return [];
    if (known?.id !== id) {
      const pid = await client.state(id).then(
        (found) => found.Pid,
        () => 0,
      );
      if (pid > 0) known = { id, pid };
    }
    if (known?.id !== id || !(await isOf(known.pid, id))) return [];
    const table = await readProcessTable();
    return [known.pid, ...descendants(table, known.pid).map(({ pid }) => pid)];
  };
}

async function isOf(pid: number, id: string): Promise<boolean> {
  const groups = await readFile(`/proc/${pid}/cgroup`, "utf8").catch(() => "");
  return groups.includes(id);
}
