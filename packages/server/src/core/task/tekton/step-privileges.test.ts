import { describe, expect, test } from "vitest";
import { jobSteps } from "./job-steps.ts";
import { privilegeFaults, privilegeRequests, stepPrivileges } from "./step-privileges.ts";

const step = (securityContext: unknown) => ({ name: "s", image: "a", script: "x", securityContext });
const none = { isPrivileged: false, capabilities: [], dropped: [], mayEscalate: false };

test.each([
  [undefined, undefined],
  [null, undefined],
  ["privileged", undefined],
  [{ privileged: false, allowPrivilegeEscalation: false, runAsNonRoot: true, capabilities: { drop: ["ALL"] } }, undefined],
  [{ runAsUser: 0, runAsGroup: 0 }, undefined],
  [{ privileged: "true", allowPrivilegeEscalation: 1 }, undefined],
  [{ privileged: "$(params.p)", capabilities: { add: ["$(params.c)"] } }, undefined],
  [{ privileged: true }, { ...none, isPrivileged: true, mayEscalate: true, user: 0 }],
  [{ allowPrivilegeEscalation: true }, { ...none, mayEscalate: true }],
  [
    { allowPrivilegeEscalation: true, runAsUser: 7 },
    { ...none, mayEscalate: true, user: 7 },
  ],
  [{ capabilities: { add: ["NET_RAW"] } }, { ...none, capabilities: ["NET_RAW"], user: 0 }],
  [
    { capabilities: { add: ["cap_chown", "CHOWN"] }, runAsUser: 5, runAsGroup: 6 },
    { ...none, capabilities: ["CHOWN"], user: 5, group: 6 },
  ],
  [{ capabilities: { add: ["CHOWN", "KILL"], drop: ["ALL", "KILL"] } }, { ...none, capabilities: ["CHOWN"], dropped: ["KILL"], user: 0 }],
  [{ capabilities: { add: ["KILL"], drop: ["KILL"] } }, undefined],
  [{ capabilities: { add: ["SYS_ADMIN"] } }, { ...none, capabilities: ["SYS_ADMIN"], mayEscalate: true, user: 0 }],
  [
    { capabilities: { add: ["ALL"], drop: ["NET_ADMIN"] } },
    { ...none, capabilities: ["ALL"], dropped: ["NET_ADMIN"], mayEscalate: true, user: 0 },
  ],
])("%j gives a step %j", (context, privileges) => {
  expect(stepPrivileges(step(context))).toEqual(privileges);
});

test("what asks for privileges has its place and its name: the step, the step template or a sidecar", () => {
  const spec = {
    stepTemplate: { securityContext: { privileged: true } },
    steps: [step({ runAsUser: 3 }), step({ privileged: false, capabilities: { add: ["CHOWN"] } })],
    sidecars: [{ image: "a", securityContext: { allowPrivilegeEscalation: true } }],
  };
  expect(privilegeRequests(spec, "t")).toEqual([
    { path: "/spec/stepTemplate/securityContext/privileged", member: "stepTemplate.securityContext.privileged", value: "true" },
    {
      path: "/spec/steps/1/securityContext/capabilities/add",
      member: "steps[1].securityContext.capabilities.add",
      value: '["CHOWN"]',
    },
    {
      path: "/spec/sidecars/0/securityContext/allowPrivilegeEscalation",
      member: "sidecars[0].securityContext.allowPrivilegeEscalation",
      value: "true",
    },
  ]);
  expect(privilegeRequests({ script: "x" }, "t")).toEqual([]);
});

test("whatever gives a step privileges is asked for: what runs and what is refused are never two readings", () => {
  const contexts = [{ privileged: true }, { allowPrivilegeEscalation: true }, { capabilities: { add: ["cap_sys_admin"] } }];
  const merged = contexts.flatMap((context) => [
    { steps: [step(context)] },
    { stepTemplate: { securityContext: context }, steps: [step(undefined)] },
    { stepTemplate: { securityContext: context }, script: "x", image: "a" },
    { stepTemplate: { securityContext: context }, steps: [step({ readOnlyRootFilesystem: false })] },
    { stepTemplate: { securityContext: { capabilities: { drop: ["ALL"] } } }, steps: [step(context)] },
  ]);
  for (const spec of merged) {
    const [{ privileges } = {}] = jobSteps({ name: "t", type: "template", spec, annotations: {} });
    expect([spec, privileges !== undefined, privilegeRequests(spec, "t").length]).toEqual([spec, true, 1]);
  }
});

describe("what is written wrong is named with its place", () => {
  test.each([7, "privileged", ["privileged"]])("a security context that is %j", (securityContext) => {
    const written = { steps: [{ script: "x", securityContext }] } as never;
    expect(privilegeFaults(written, "t")).toEqual([
      { path: "/spec/steps/0/securityContext", message: expect.stringContaining("must be a map") },
    ]);
  });

  test.each([
    [{ privileged: "$(params.p)" }, "privileged", "must be true or false, and can't have references"],
    [{ privileged: "true" }, "privileged", "must be true or false"],
    [{ allowPrivilegeEscalation: 1 }, "allowPrivilegeEscalation", "is 1; it must be true or false"],
    [{ capabilities: { add: "ALL" } }, "capabilities/add", "must be a list"],
    [{ capabilities: ["ALL"] }, "capabilities", "must be a map"],
    [{ capabilities: { add: ["$(params.c)"] } }, "capabilities/add", "not a Linux capability"],
    [{ capabilities: { add: ["CAP_EVERYTHING"] } }, "capabilities/add", '"CAP_EVERYTHING", which is not a Linux capability'],
    [{ capabilities: { add: ["CHOWN"], drop: ["x"] } }, "capabilities/drop", "not a Linux capability"],
    [{ privileged: true, runAsUser: "$(params.u)" }, "runAsUser", "must be a number from 0 to"],
    [{ privileged: true, runAsGroup: -1 }, "runAsGroup", "must be a number from 0 to"],
    [{ privileged: true, runAsNonRoot: true }, "runAsNonRoot", "is root unless runAsUser names another user"],
    [{ privileged: true, allowPrivilegeEscalation: false }, "allowPrivilegeEscalation", "can always escalate"],
    [{ capabilities: { add: ["SYS_ADMIN"] }, allowPrivilegeEscalation: false }, "allowPrivilegeEscalation", "can always escalate"],
  ])("%j", (context, member, message) => {
    expect(privilegeFaults({ steps: [step(context)] }, "t")).toEqual([
      { path: `/spec/steps/0/securityContext/${member}`, message: expect.stringContaining(message) },
    ]);
  });

  test.each([
    [{ runAsUser: "$(params.u)", runAsNonRoot: true }],
    [{ capabilities: { drop: ["ALL", "all-of-them"] } }],
    [{ capabilities: { add: ["CHOWN"] }, allowPrivilegeEscalation: false, runAsUser: 7, runAsNonRoot: true }],
  ])("and nothing of %j", (context) => {
    expect(privilegeFaults({ steps: [step(context)] }, "t")).toEqual([]);
  });
});
