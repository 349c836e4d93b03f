import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { repositoryRoot } from "../../base/file/repository-root.ts";
import { neededRights } from "./kubernetes-executor.ts";

test("the manifest gives the rights that are asked for at the start, and no others", () => {
  const text = readFileSync(join(repositoryRoot, "deploy/kubernetes/executor-rbac.yaml"), "utf8");
  const documents = parseAllDocuments(text).map((document) => document.toJS() as { kind: string; rules?: Record<string, string[]>[] });
  const rules = documents.find(({ kind }) => kind === "Role")?.rules ?? [];
  const given = rules.map(({ apiGroups, resources, verbs }) => ({ group: apiGroups?.[0], resource: resources?.[0], verbs }));
  expect(given).toEqual(neededRights);
  expect(documents.map(({ kind }) => kind)).not.toContain("ClusterRole");
});
