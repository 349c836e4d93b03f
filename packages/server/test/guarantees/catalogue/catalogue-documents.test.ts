import { spawnSync } from "node:child_process";
import type { Spec } from "@millrace/contract/task/task-definition.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contentOfDocument } from "../../../src/core/task/tekton/content-of-document.ts";
import { readTaskDocument } from "../../../src/core/task/tekton/read-task-document.ts";
import { findRunDemands } from "../../../src/core/task/tekton/runnable.ts";
import { findTaskWarnings } from "../../../src/core/task/tekton/task-warnings.ts";
import { startForge } from "../../fakes/forge-server.ts";
import { catalogueBench } from "../../kit/catalogue/catalogue-bench.ts";
import { type CatalogueBench, catalogueDocuments, catalogueScenarios, uploadCatalogue } from "../../kit/catalogue/catalogue-tasks.ts";

describe.each(catalogueDocuments())("the sample task $name", ({ name, text }) => {
  const { definition } = readTaskDocument(text);
  const content = contentOfDocument(definition);

  test("is read without a warning, under the name of its file", () => {
    expect(definition.metadata.name).toBe(name);
    expect(findTaskWarnings(content.spec, name)).toEqual([]);
  });

  test("describes what it does, and each parameter and result whose name is not enough", () => {
    expect(content.description?.length ?? 0).toBeGreaterThan(100);
    expect(content.spec.results?.length ?? 0).toBeGreaterThan(0);
    const image = content.spec.params.find((param) => param.name === "image");
    expect(image?.default).toMatch(/^docker\.io\/library\/node:/);
  });

  test("runs on containers and on a cluster, with nothing but an image", () => {
    const demands = findRunDemands({ name, spec: content.spec, annotations: content.annotations ?? {} });
    expect(demands.filter(({ isImage }) => !isImage)).toEqual([]);
    for (const { executors } of demands) expect(executors).toEqual(["container", "kubernetes"]);
  });

  test("needs neither root nor a root file system that can be written", () => {
    const { steps, stepTemplate } = definition.spec as Spec;
    for (const step of steps ?? []) {
      const context = { ...stepTemplate, ...step }["securityContext"];
      expect(context).toEqual({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } });
    }
  });
});

/** The documents are first of all programs: they are run with the programs of this machine, if it has all of them. */
const programs = ["bash", "git", "curl", "tar", "gzip", "sha256sum", "find", "awk", "paste"];
const missing = programs.filter((program) => spawnSync("sh", ["-c", `command -v ${program}`]).status !== 0);

describe("the sample tasks as processes", () => {
  const closers: (() => Promise<unknown>)[] = [];
  let bench: CatalogueBench;

  beforeAll(async () => {
    if (missing.length > 0) return;
    // 127.0.0.1 belongs to the step itself; for any other address of this machine, the step needs the proxy of the service.
    const forge = await startForge("127.0.0.2");
    closers.push(() => forge.stop());
    const opened = await catalogueBench({}, { image: undefined, forge });
    closers.push(() => opened.stop());
    await uploadCatalogue(opened, (text) => text.replace("  annotations:\n", "  annotations:\n    millrace.dev/executor: process\n"));
    bench = opened;
  }, 120_000);
  afterAll(async () => {
    for (const close of closers.reverse()) await close();
  }, 60_000);

  test.for(catalogueScenarios)("$name", { timeout: 120_000 }, async ({ check }, { skip }) => {
    skip(missing.length > 0, `not on this machine: ${missing.join(", ")}`);
    await check(bench);
  });
});
