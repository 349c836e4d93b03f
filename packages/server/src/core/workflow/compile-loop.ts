import { defaultMaxRounds, type LoopCondition } from "@millrace/contract/workflow/loop.ts";

/** A task that is repeated, one round after the other. */
export interface Loop {
  /** `until`: the loop ends when the condition holds after a round; `while`: it ends when the condition does not hold before a round. */
  kind: "while" | "until";
  /** Text with references. */
  value: string;
  /** Patterns, one a line. */
  matches: string;
  maxRounds: number;
  pauseMs: number;
  /** The loop ends as failed after the first round that did not succeed. */
  stopsAtFailure: boolean;
  onLimit: "fail" | "succeed";
}

/** A loop as it is stored: it has one of the two conditions. */
export interface LoopDocument {
  while?: LoopCondition;
  until?: LoopCondition;
  maxRounds?: number;
  pauseSeconds?: number;
  stopAtFailure?: boolean;
  onLimit?: "fail" | "succeed";
}

export function compileLoop(loop: LoopDocument): Loop {
  const kind = loop.while ? "while" : "until";
  const condition = loop[kind];
  if (!condition) throw new Error("a saved loop has no condition");
  return {
    kind,
    ...condition,
    maxRounds: loop.maxRounds ?? defaultMaxRounds,
    pauseMs: (loop.pauseSeconds ?? 0) * 1000,
    stopsAtFailure: loop.stopAtFailure ?? true,
    onLimit: loop.onLimit ?? "fail",
  };
}
