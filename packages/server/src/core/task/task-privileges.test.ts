import { expect, test } from "vitest";
import { privilegeProblem, privilegeRefusal, privilegeRightFaults } from "./opt-in.ts";

const team = (isAllowed: boolean) => ({ name: "hawks", isAllowed });
const task = (securityContext: unknown) => ({ name: "t", spec: { steps: [{ script: "x" }, { script: "x", securityContext }] } });

test("privileges need the instance and the team, and the missing one is named", () => {
  expect(privilegeRefusal({ isAllowedHere: true, team: team(true) })).toBeUndefined();
  expect(privilegeRefusal({ isAllowedHere: false, team: team(true) })).toMatch(
    /instance.*MILLRACE_ALLOW_PRIVILEGED=true and allowPrivileged/,
  );
  expect(privilegeRefusal({ isAllowedHere: true, team: team(false) })).toMatch(
    /team hawks.*MILLRACE_ALLOW_PRIVILEGED=true and allowPrivileged/,
  );
  expect(privilegeRefusal({ isAllowedHere: true })).toBeUndefined();
});

test("a task is refused by the member that asks, when it is saved and before it runs", () => {
  const asking = task({ privileged: true });
  expect(privilegeRightFaults(asking, { isAllowedHere: false })).toEqual([
    { path: "/spec/steps/1/securityContext/privileged", message: expect.stringContaining("is true, but this instance") },
  ]);
  expect(privilegeProblem(asking, { isAllowedHere: true, team: team(false) })).toMatch(
    /^steps\[1\]\.securityContext\.privileged is true, but team hawks/,
  );
  expect(privilegeProblem(asking, { isAllowedHere: true, team: team(true) })).toBeUndefined();
});

test("what was stored before it was checked does not run, whatever the rights are", () => {
  expect(privilegeProblem(task({ privileged: "$(params.p)" }), { isAllowedHere: true, team: team(true) })).toMatch(
    /^spec\.steps\.1\.securityContext\.privileged is .*must be true or false/,
  );
});

test.each([[undefined], [{ privileged: false }], [{ capabilities: { drop: ["ALL"] }, runAsNonRoot: true, runAsUser: 0 }]])(
  "%j needs no right",
  (context) => {
    expect(privilegeRightFaults(task(context), { isAllowedHere: false })).toEqual([]);
    expect(privilegeProblem(task(context), { isAllowedHere: false })).toBeUndefined();
  },
);
