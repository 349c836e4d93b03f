import { runEvents, runMachine, runStates } from "../../../src/core/run/run-machine.ts";
import { taskRunEvents, taskRunMachine, taskRunStates } from "../../../src/core/run/task-run-machine.ts";

/** docs/state-machines.md with its tables regenerated from the machines; the prose between them stays. */
export function renderStateMachines(page: string): string {
  const withRuns = replaceBlock(page, "run machine", table(runStates, runEvents, runMachine));
  return replaceBlock(withRuns, "task run machine", table(taskRunStates, taskRunEvents, taskRunMachine));
}

function table<S extends string, E extends string>(
  states: readonly S[],
  events: readonly E[],
  machine: Readonly<Record<S, Readonly<Record<E, string>>>>,
): string {
  const rows = states.map((state) => [`\`${state}\``, ...events.map((event) => cell(machine[state][event]))]);
  const lines = [["state", ...events], ["---", ...events.map(() => "---")], ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function cell(next: string): string {
  return next === "refused" ? "–" : `\`${next}\``;
}

function replaceBlock(page: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`docs/state-machines.md lacks the marks ${begin} and ${end}`);
  return `${page.slice(0, from + begin.length)}\n\n${content}\n\n${page.slice(to)}`;
}
