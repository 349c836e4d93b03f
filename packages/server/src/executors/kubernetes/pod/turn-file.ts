import type { JobStep } from "../../../core/task/tekton/job-steps.ts";
import type { StepText, StepValue } from "../../../core/task/tekton/step-values.ts";
import { fillText, maxFilledBytes, maxFilledTextBytes, maxStepValueBytes, stepResultFile } from "../../../core/task/tekton/step-values.ts";
import { stepNeeds, valuesOfStep } from "../../steps/step-turn.ts";

/**
 * What a step waits for, in the format of programs/pod/turn.sh, which reads it when it is the turn of the step: the values of its
 * conditions, the conditions, the other values, and the length of its texts with them. Every text of a user is a quoted word.
 */
export function turnFile(step: JobStep): string {
  const { ofConditions, others, filled } = stepNeeds(step);
  const numbers = new Map(valuesOfStep(step).map((value, at) => [stepResultFile(value), at + 1]));
  const numberOf = (value: StepValue): number => numbers.get(stepResultFile(value)) ?? 0;
  const take = (value: StepValue): string => {
    const number = numberOf(value);
    return `value ${number} ${quote(stepResultFile(value))}\nvalue_${number}=$text size_${number}=$size\n`;
  };
  const word = (text: StepText): string => wordOf(text, (value) => `value_${numberOf(value)}`);
  const conditions = (step.when ?? []).map(({ input, operator, values }) => `when ${operator} ${[input, ...values].map(word).join(" ")}\n`);
  const sizes = filled.map((text) => `fits ${sizeOf(text, (value) => `$size_${numberOf(value)}`)}\n`);
  const limits = `most=${maxStepValueBytes} most_of_text=${maxFilledTextBytes} most_of_all=${maxFilledBytes}\n`;
  return [limits, ...ofConditions.map(take), ...conditions, ...others.map(take), ...sizes].join("");
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A shell word for the text with the values of these variables. */
function wordOf(text: StepText, variable: (value: StepValue) => string): string {
  const pieces = typeof text === "string" ? [text] : text;
  if (pieces.length === 0) return "''";
  return pieces.map((piece) => (typeof piece === "string" ? quote(piece.replaceAll("\0", "")) : `"$${variable(piece)}"`)).join("");
}

/** Bytes of its fixed text, then the variables with the sizes of its values. */
function sizeOf(text: StepText, variable: (value: StepValue) => string): string {
  const values = (typeof text === "string" ? [] : text).filter((piece): piece is StepValue => typeof piece !== "string");
  return [Buffer.byteLength(fillText(text, () => "")), ...values.map(variable)].join(" ");
}
