import { expect } from "vitest";
import { resolveSteps } from "../../core/task/tekton/job-steps.ts";
import { actionOf, withActions } from "../../core/task/tekton/step-action/step-action.ts";
import { contentOfTask } from "../../core/task/tekton/task-content.ts";
import { makeJob, run, type Scenario } from "./scenario.ts";

/** Steps that are defined in a StepAction. */
export const stepActionScenarios: Scenario[] = [
  {
    name: "a StepAction runs with its own parameters, takes results of steps and leaves results for them",
    async check(bench) {
      const job = makeJob("true", { results: [{ name: "said", file: ".greet.said" }] });
      const action = contentOfTask({
        name: "greet-action",
        type: "stepaction",
        spec: {
          params: [{ name: "who" }, { name: "name", default: "own" }, { name: "nasty" }],
          results: [{ name: "said" }],
          script: 'printf "%s|%s|%s|%s" "$1" "$(params.name)" "$NASTY" "$(echo shell)" > $(step.results.said.path)',
          arguments: ["$(params.who)"],
          envs: [{ name: "NASTY", value: "$(params.nasty)" }],
        },
      });
      const params = [
        { name: "who", value: "$(steps.first.results.who) & co" },
        { name: "nasty", value: "$(params.nasty)" },
      ];
      const { spec } = contentOfTask({
        name: "exercise",
        spec: {
          steps: [
            { name: "first", results: [{ name: "who" }], script: "printf Ada > $(step.results.who.path)" },
            { name: "greet", ref: { name: "greet-action" }, params },
            { name: "last", command: ["printf", "%s"], args: ["<$(steps.greet.results.said)>"] },
          ],
        },
      });
      const named = { ...actionOf(action.spec, "greet-action"), name: "greet-action", version: 1, isGlobal: false };
      const extra = (words: readonly string[]) => {
        const value = bench.executor.place(job, words);
        return value === undefined ? { found: false } : { found: true, value };
      };
      const task = { name: "exercise", type: "template", spec: withActions(spec, () => named), annotations: {} };
      job.steps = resolveSteps(task, { task: { name: "task's", nasty: '$(params.name) "; $(id)' }, extra }).steps;
      const { outcome, texts } = await run(bench, job);
      const said = 'Ada & co|own|$(params.name) "; $(id)|shell';
      expect(outcome).toMatchObject({ message: "", results: [{ name: "said", value: said }] });
      expect(texts().join("\n")).toBe(`<${said}>`);
    },
  },
];
