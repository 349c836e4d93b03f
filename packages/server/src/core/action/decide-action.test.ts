import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideAction } from "./decide-action.ts";

const open = undefined;

describe("decideAction", () => {
  test.each([
    // wanted, approvals, rejections, openVoters, decision
    [1, 1, 0, null, "approved"],
    [1, 0, 1, null, "rejected"],
    [1, 0, 1, 5, "rejected"],
    [2, 1, 0, null, open],
    [2, 1, 1, null, "rejected"],
    [2, 2, 0, null, "approved"],
    [2, 0, 1, 2, open],
    [2, 0, 1, 1, "rejected"],
    [2, 1, 1, 1, open],
    [2, 1, 1, 0, "rejected"],
    [3, 2, 4, 1, open],
    [3, 0, 0, 1, open],
  ] as const)("wanted %i, %i for, %i against, %s could still vote: %s", (wanted, approvals, rejections, openVoters, decision) => {
    expect(decideAction({ wanted, approvals, rejections, openVoters })).toBe(decision);
  });

  test("a group in which everyone votes always comes to a decision, and approves exactly when enough do", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 12 }), (votes, position) => {
        const wanted = Math.min(position, votes.length);
        let approvals = 0;
        let decision: string | undefined;
        votes.forEach((approved, index) => {
          if (approved) approvals += 1;
          decision ??= decideAction({ wanted, approvals, rejections: index + 1 - approvals, openVoters: votes.length - index - 1 });
        });
        const first = votes[0] === true ? "approved" : "rejected";
        const enough = votes.filter(Boolean).length >= wanted ? "approved" : "rejected";
        expect(decision).toBe(wanted === 1 ? first : enough);
      }),
    );
  });

  test("never rejects what the rest of the group could still approve", () => {
    const counts = fc.nat(8);
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 8 }), counts, counts, counts, (wanted, approvals, rejections, openVoters) => {
        const decision = decideAction({ wanted, approvals, rejections, openVoters });
        if (decision === "rejected") expect(approvals + openVoters).toBeLessThan(wanted);
        if (decision === undefined && approvals + rejections > 0) expect(approvals + openVoters).toBeGreaterThanOrEqual(wanted);
      }),
    );
  });
});
