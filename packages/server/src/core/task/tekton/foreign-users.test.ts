import { expect, test } from "vitest";
import { foreignUsers } from "./foreign-users.ts";

test("a step that asks for a user is informed that it has one of its own", () => {
  const steps = [
    { name: "root", image: "a", securityContext: { runAsUser: 0 } },
    { name: "plain", image: "a", securityContext: { readOnlyRootFilesystem: false } },
    { image: "a", securityContext: { runAsUser: 1000, runAsGroup: 1000 } },
    { name: "given", image: "a", securityContext: { privileged: true, runAsUser: 1000 } },
  ];
  expect(foreignUsers({ name: "t", type: "template", spec: { steps }, annotations: {} })).toEqual([
    "step root asks for runAsUser 0, which has no effect: steps run as a user of their own",
    "step unnamed-2 asks for runAsUser 1000 and runAsGroup 1000, which has no effect: steps run as a user of their own",
  ]);
});
