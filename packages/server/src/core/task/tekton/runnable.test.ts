import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contentOfDocument } from "./content-of-document.ts";
import { readTaskDocument } from "./read-task-document.ts";
import { findRunDemands } from "./runnable.ts";

test("parts of results of steps are for processes and containers", () => {
  const results = [{ name: "l", type: "array" }, { name: "a.b" }];
  const demands = (args: string[]) =>
    findRunDemands({
      name: "t",
      annotations: {},
      spec: {
        steps: [
          { name: "a", script: "x", results },
          { script: "x", args },
        ],
      },
    } as never);
  for (const text of ["$(steps.a.results.l[*])", "v$(steps.a.results.l[0])"])
    expect(demands([text])).toEqual([expect.objectContaining({ path: "/spec/steps/1", executors: ["process", "container"] })]);
  expect(demands(["$(steps.a.results.a.b)"])).toEqual([]);
});

test("a document says by name all that it demands", () => {
  const read = (file: string) =>
    contentOfDocument(readTaskDocument(readFileSync(join(import.meta.dirname, "testdata", file), "utf8")).definition);
  const demands = (file: string) =>
    findRunDemands(read(file)).map(({ path, what, executors, isNever }) => `${path} ${what} [${isNever ? "never" : executors}]`);
  expect(demands("build-and-probe.yaml")).toEqual([
    "/spec/steps/0/image runs step build in the image docker.io/library/maven:3 [container,kubernetes]",
    "/spec/steps/0/env/3/valueFrom takes NODE from a field that only pods have (fieldRef) [never]",
    "/spec/steps/0/securityContext gives privileges to step build [container,kubernetes]",
    "/spec/steps/0/volumeDevices uses volumeDevices []",
    "/spec/steps/1/image runs step probe in the image docker.io/library/alpine:3.20 [container,kubernetes]",
    "/spec/steps/2/image runs a step in the image docker.io/library/bash:5 [container,kubernetes]",
    "/spec/sidecars has sidecars (database) [container,kubernetes]",
    "/spec/sidecars/0/restartPolicy uses restartPolicy in the sidecar database []",
  ]);
  expect(demands("step-actions.yaml")).toEqual([
    "/spec/steps/0/ref refers to a step elsewhere (StepAction git-clone), which it has no copy of; save the task again []",
    "/spec/steps/1/ref refers to a step elsewhere (resolver git), which it has no copy of; save the task again []",
    "/spec/steps/2/image runs step conditional in the image alpine [container,kubernetes]",
  ]);
});
