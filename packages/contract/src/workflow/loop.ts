import Type, { type Static } from "typebox";
import { named, orNull, ref, stringEnum } from "../schema.ts";

/** How a task of a workflow is repeated on a condition, round by round. */

export const maxRoundsOfLoop = 10_000;
export const defaultMaxRounds = 100;
/** A week. */
export const maxPauseSeconds = 604_800;
export const maxConditionValue = 10_000;
export const maxConditionPatterns = 2_000;
/** For all loops of a run together. */
export const maxRoundsOfRun = 100_000;

export const onLimitChoices = ["fail", "succeed"] as const;

export interface LoopCondition extends Static<typeof loopCondition> {}
export const loopCondition = named(
  "LoopCondition",
  Type.Object({
    value: Type.String({
      minLength: 1,
      maxLength: maxConditionValue,
      description: "Text with references, resolved each time: $(loop.previous.results.state) is the result of the round that has ended",
    }),
    matches: Type.String({
      minLength: 1,
      maxLength: maxConditionPatterns,
      description: "Regular expressions (RE2), one per line. The condition holds if one of them matches the whole value",
    }),
  }),
);

/** Runs one task repeatedly. */
export interface LoopInput extends Static<typeof loop> {}
export const loop = named(
  "Loop",
  Type.Object({
    while: orNull(ref(loopCondition), {
      description: "Checked before each round: the loop continues while it holds. Either this or until",
    }),
    until: orNull(ref(loopCondition), { description: "Checked after each round: the loop ends when it holds. Either this or while" }),
    maxRounds: orNull(Type.Integer({ minimum: 1, maximum: maxRoundsOfLoop, description: `Default ${defaultMaxRounds}` })),
    pauseSeconds: orNull(Type.Integer({ minimum: 0, maximum: maxPauseSeconds, description: "Between two rounds; default 0" })),
    stopAtFailure: orNull(
      Type.Boolean({ description: "A round that does not succeed ends the loop, which has then failed; default true" }),
    ),
    onLimit: orNull(
      stringEnum(onLimitChoices, { description: "How the task ends if maxRounds is reached before the condition ends it; default fail" }),
    ),
  }),
);
