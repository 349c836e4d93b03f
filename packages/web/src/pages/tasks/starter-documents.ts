import { hasSteps } from "../../forms/task-form/task-draft.ts";
import { setYaml } from "../../forms/task-form/yaml-edit.ts";

/** A document to begin with, for a task of that type. */
export function starterDocument(name: string, type: string): string {
  const head = `apiVersion: tekton.dev/v1
kind: Task
metadata:
  name: ${name}
  annotations:
    millrace.dev/type: ${type}
`;
  if (!hasSteps(type)) return `${head}spec:\n  description: ""\n`;
  return `${head}spec:
  steps:
    - name: main
      script: |
        #!/bin/sh
        set -eu
        echo "hello"
`;
}

/** The document of another task under a new name. It says itself which version it is, and whether it was shipped. */
export function copiedDocument(text: string, name: string): string {
  const annotations = ["version", "verified", "status"].map((one) => ["metadata", "annotations", `millrace.dev/${one}`]);
  const cleared = annotations.reduce((copy, path) => setYaml(copy, path, undefined), text);
  return setYaml(cleared, ["metadata", "name"], name);
}
