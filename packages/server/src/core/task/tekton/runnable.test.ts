import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contentOfDocument } from "./content-of-document.ts";
import { readTaskDocument } from "./read-task-document.ts";
import { findRunDemands } from "./runnable.ts";

test("a document says by name all that it demands", () => {
  const read = (file: string) =>
    contentOfDocument(readTaskDocument(readFileSync(join(import.meta.dirname, "testdata", file), "utf8")).definition);
  const demands = (file: string) =>
    findRunDemands(read(file)).map(({ path, what, executors, isNever }) => `${path} ${what} [${isNever ? "never" : executors}]`);
  expect(demands("build-and-probe.yaml")).toEqual([
    "/spec/steps/0/image runs step build in the image docker.io/library/maven:3 [container,kubernetes]",
    "/spec/steps/0/env/3/valueFrom takes NODE from what only a pod has (fieldRef) [never]",
    "/spec/steps/0/securityContext gives privileges to step build [container,kubernetes]",
    "/spec/steps/0/volumeDevices uses volumeDevices []",
    "/spec/steps/1/image runs step probe in the image docker.io/library/alpine:3.20 [container,kubernetes]",
    "/spec/steps/2/image runs a step in the image docker.io/library/bash:5 [container,kubernetes]",
    "/spec/sidecars has sidecars []",
  ]);
  expect(demands("step-actions.yaml")).toEqual([
    "/spec/steps/0/ref refers to a step elsewhere (StepAction git-clone), which it has no copy of; save the task again []",
    "/spec/steps/1/ref refers to a step elsewhere (resolver git), which it has no copy of; save the task again []",
    "/spec/steps/2/image runs step conditional in the image alpine [container,kubernetes]",
  ]);
});
