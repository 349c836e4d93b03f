import { expect, test } from "vitest";
import { contextNotes, contextWarnings } from "./context-warnings.ts";

const ignored = (securityContext: unknown) =>
  contextWarnings({ steps: [{ name: "s", image: "a", script: "x", securityContext }] }, "t").map(({ path, why }) => `${path} ${why}`);

test("what every step has anyway, and what has an effect beside privileges, is not named", () => {
  for (const context of [
    undefined,
    null,
    { runAsNonRoot: true, readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
    { seccompProfile: { type: "RuntimeDefault" }, appArmorProfile: { type: "RuntimeDefault" }, procMount: "Default", runAsUser: null },
    { privileged: true, runAsUser: 5, runAsGroup: 6, seccompProfile: { type: "Unconfined" }, procMount: "Unmasked" },
    { capabilities: { add: ["CHOWN"] }, runAsUser: 5 },
  ])
    expect(ignored(context)).toEqual([]);
});

test.each([
  ["runAsUser", 0, "without privileges steps run as a user of their own"],
  ["runAsGroup", "7", "without privileges steps run as a user of their own"],
  ["runAsNonRoot", "true", "it must be true or false"],
  ["readOnlyRootFilesystem", "$(params.p)", "it must be true or false"],
  ["capabilities", { drop: "ALL" }, "drop must be a list of names"],
  ["capabilities", { keep: [] }, "keep is unknown here"],
  ["seccompProfile", { type: "Unconfined" }, "the worker chooses the filter of system calls"],
  ["seccompProfile", "RuntimeDefault", "the worker chooses the filter of system calls"],
  ["appArmorProfile", { type: "Localhost" }, "the worker chooses the profile"],
  ["procMount", "Unmasked", "no step sees /proc as a whole"],
  ["seLinuxOptions", {}, "the worker chooses the labels"],
  ["windowsOptions", {}, "steps run on Linux"],
  ["fsGroup", 5, "it is for pods; the folders of a task belong to its steps already"],
  ["supplementalGroups", [5], "it is for pods; the folders of a task belong to its steps already"],
  ["sysctls", [], "it is for pods, and a task can't change the kernel of its worker"],
  ["constructor", 1, "it is unknown here"],
  ["priviledged", true, "it is unknown here"],
])("%s %j is named with the reason", (member, value, why) => {
  expect(ignored({ [member]: value })).toEqual([`/spec/steps/0/securityContext/${member} ${why}`]);
});

test("what the step template gives has its place there, and the log names the steps", () => {
  const spec = {
    stepTemplate: { securityContext: { runAsUser: 1000, fsGroup: 5 } },
    steps: [
      { name: "one", image: "a", script: "x" },
      { image: "a", script: "x", securityContext: { privileged: true, fsGroup: 6 } },
    ],
    sidecars: [{ image: "a", securityContext: { fsGroup: 7 } }],
  };
  expect(contextWarnings(spec, "t").map(({ path }) => path)).toEqual([
    "/spec/stepTemplate/securityContext/runAsUser",
    "/spec/stepTemplate/securityContext/fsGroup",
    "/spec/steps/1/securityContext/fsGroup",
    "/spec/sidecars/0/securityContext/fsGroup",
  ]);
  expect(contextNotes({ name: "t", type: "template", spec, annotations: {} })).toEqual([
    "step one asks for runAsUser 1000, which has no effect: without privileges steps run as a user of their own",
    "step one asks for fsGroup 5, which has no effect: it is for pods; the folders of a task belong to its steps already",
    "step unnamed-1 asks for fsGroup 6, which has no effect: it is for pods; the folders of a task belong to its steps already",
    "sidecar unnamed-0 asks for fsGroup 7, which has no effect: it is for pods; the folders of a task belong to its steps already",
  ]);
});
