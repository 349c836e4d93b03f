import type { JobStep } from "./job-steps.ts";
import { type FindValue, fillItem, fillText, type StepText } from "./step-values.ts";

/** A step whose texts contain no values of other steps any more. */
export type PlainStep = JobStep<string>;

export function isPlainStep(step: JobStep): step is PlainStep {
  return step.when === undefined && [...stepTexts(step)].every((text) => typeof text === "string");
}

/** Texts of a step that may contain values of other steps, except those of its conditions. */
export function stepTexts({ command = [], args = [], env = [] }: JobStep): StepText[] {
  return [...command, ...args, ...env.map(({ value }) => value)];
}

/** The step with its values in place. Its conditions were examined before. */
export function fillStep({ when: _, command, args, env, ...others }: JobStep, find: FindValue): PlainStep {
  const fill = (text: StepText): string => fillText(text, find);
  return {
    ...others,
    ...(command && { command: command.flatMap((text) => fillItem(text, find)) }),
    ...(args && { args: args.flatMap((text) => fillItem(text, find)) }),
    ...(env && { env: env.map(({ name, value }) => ({ name, value: fill(value) })) }),
  };
}
