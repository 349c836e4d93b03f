import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../base/file/repository-root.ts";
import type { JobStep } from "../../core/task/tekton/job-steps.ts";
import type { PlainStep } from "../../core/task/tekton/plain-step.ts";
import type { Job } from "../../engine/executor.ts";
import { fileName, stepFiles } from "./places.ts";
import { type StepCommand, stepCommand, workingDir } from "./step-command.ts";
import type { View } from "./view.ts";

/**
 * What a step runs. If a step is a function, its runner is executed, which reads script and job from files; so it behaves the same in a
 * process, a container and a pod, and in a sandbox that is kept for further jobs.
 * @throws StepProblem if the step can't run as it is written
 */
export function stepProgram(job: Job, step: PlainStep, name: string, view: View): StepCommand {
  if (step.language === undefined) return stepCommand(step, name, view);
  const { argv, files } = functionProgram(step, name, view);
  const file = stepFiles(name).job;
  return { argv: [...argv, `${view.steps}/${file}`], files: [...files, { name: file, text: functionJob(job, step, view) }] };
}

interface Runner {
  /** Name of its file in executors/programs. */
  ending: ".mjs" | ".py";
  /** Name of the script's file. */
  scriptEnding: string;
  interpreter(view: Pick<View, "node">): string[];
}

const node: Runner = { ending: ".mjs", scriptEnding: ".mjs", interpreter: (view) => [view.node ?? "node"] };
const runners: Readonly<Record<NonNullable<JobStep["language"]>, Runner>> = {
  javascript: node,
  typescript: { ...node, scriptEnding: ".ts" },
  python: { ending: ".py", scriptEnding: ".py", interpreter: () => ["python3"] },
};

/** Read when the service starts, so that a later change of the checkout never mixes with the running version. */
const programs: Readonly<Record<Runner["ending"], string>> = { ".mjs": readRunner(".mjs"), ".py": readRunner(".py") };

function readRunner(ending: string): string {
  return readFileSync(join(repositoryRoot, `packages/server/src/executors/programs/run-function${ending}`), "utf8");
}

/** The runner of a function, without a job. */
export function functionProgram({ language = "javascript", script = "" }: JobStep, name: string, view: View): StepCommand {
  const { ending, scriptEnding, interpreter } = runners[language];
  const [runner, file] = [`run-function${ending}`, `function-${fileName(name)}${scriptEnding}`];
  return {
    argv: [...interpreter(view), `${view.steps}/${runner}`, `${view.steps}/${file}`],
    files: [
      { name: runner, text: programs[ending] },
      { name: file, text: script },
    ],
  };
}

/** @param variables of the job, if the runner was started with others; undefined: it was started with these */
export function functionJob(job: Job, step: JobStep, view: View, variables?: ReadonlyMap<string, string>): string {
  return JSON.stringify({
    params: Object.fromEntries(job.params.map(({ name, value }) => [name, value ?? null])),
    context: {
      task: job.name,
      taskRun: job.taskRunId,
      run: job.runId,
      attempt: job.attempt,
      workspaces: Object.fromEntries(job.workspaces.map((workspace) => [workspace.name, view.workspace(workspace)])),
    },
    folder: workingDir(step, view),
    results: view.results,
    ...(variables && { variables: Object.fromEntries(variables) }),
  });
}
