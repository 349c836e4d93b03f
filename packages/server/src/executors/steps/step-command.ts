import type { JobStep } from "../../core/task/tekton/job-steps.ts";
import { stepFiles } from "./places.ts";
import { StepProblem } from "./step-problem.ts";
import { readScript } from "./step-program.ts";
import type { View } from "./view.ts";

export interface StepCommand {
  /** Program and arguments; of a script the interpreter and the path of its file in the view. Empty: the image says what runs. */
  argv: string[];
  /** What the file of the script holds. */
  script?: string;
  /** Where `argv` is empty: arguments for what the image says. */
  imageArgs?: string[];
}

/** @throws StepProblem when the step can't run as it is written */
export function stepCommand(step: JobStep, name: string, view: Pick<View, "steps">): StepCommand {
  const args = (step.args ?? []).map(withoutNul);
  if (step.script !== undefined && step.script !== "") {
    const script = readScript(step.script);
    if ("problem" in script) throw new StepProblem(`the script of step "${name}" can't run: ${script.problem}`);
    return { argv: [...script.interpreter, `${view.steps}/${stepFiles(name).script}`, ...args], script: script.text };
  }
  const command = (step.command ?? []).map(withoutNul);
  if (command.length === 0 && step.image) return { argv: [], imageArgs: args };
  if ((command[0] ?? "") === "") throw new StepProblem(`step "${name}" has neither a script nor a command, so there is nothing to run`);
  return { argv: [...command, ...args] };
}

function withoutNul(text: string): string {
  return text.replaceAll("\0", "");
}
