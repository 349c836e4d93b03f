import { defaultMaxRounds, type LoopCondition } from "@millrace/contract/workflow/loop.ts";

/** A task that is repeated, one round after the other. */
export interface Loop {
  /** `until`: it is over when the condition holds after a round; `while`: when it does not hold before one. */
  kind: "while" | "until";
  /** Text with references. */
  value: string;
  /** Patterns, one a line. */
  matches: string;
  maxRounds: number;
  pauseMs: number;
  /** It is over, and has failed, with the first round that did not succeed. */
  stopsAtFailure: boolean;
  onLimit: "fail" | "succeed";
}

/** A loop as it is stored: one of the two conditions is there. */
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
