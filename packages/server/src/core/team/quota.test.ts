import { expect, test } from "vitest";
import { effectiveQuotas, shippedQuotas } from "./quota.ts";

test("a team without its own quotas has the shipped ones", () => {
  expect(effectiveQuotas({ maxWorkflowCount: null })).toEqual(shippedQuotas);
});

test("the team's quota wins over the instance's, the instance's over the shipped one", () => {
  const quotas = effectiveQuotas({ maxWorkflowCount: 3 }, { maxWorkflowCount: 7, maxConcurrentRuns: 9 });
  expect(quotas).toEqual({ ...shippedQuotas, maxWorkflowCount: 3, maxConcurrentRuns: 9 });
});

test("a count of 0 is a limit, a duration of 0 is none", () => {
  const quotas = effectiveQuotas({ maxWorkflowCount: 0, maxWorkflowRunDuration: 0 });
  expect(quotas).toEqual({ ...shippedQuotas, maxWorkflowCount: 0 });
});
