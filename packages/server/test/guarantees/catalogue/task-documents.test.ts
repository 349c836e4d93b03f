import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { WorkflowInput, WorkflowTask } from "@millrace/contract/workflow/workflow.ts";
import { expect, test } from "vitest";
import { saveTaskContext } from "../../../src/api/task/read-task-body.ts";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { contentOfDocument } from "../../../src/core/task/tekton/content-of-document.ts";
import { readTaskDocument } from "../../../src/core/task/tekton/read-task-document.ts";
import { createTask } from "../../../src/domain/task/save-task.ts";
import { createFactories } from "../../kit/factories.ts";
import { runToEnd, testInstance } from "../../kit/start/test-instance.ts";

/** Task documents in a complete process: from the text to what the steps did. */
const service = await testInstance({ MILLRACE_ROLES: "engine,worker" });
const team = await createFactories(service.sql).team();

async function save(document: string): Promise<void> {
  const { definition, placed } = readTaskDocument(document);
  const context = await saveTaskContext(team, {
    db: service.sql,
    principal: { name: "test" } as never,
    keyring: service.instance.store.keyring,
    services: { runs: service.instance.runs } as never,
  });
  await service.sql.begin((tx) => createTask(tx, context, { content: contentOfDocument(definition), locate: placed }));
}

async function run(workflow: Omit<WorkflowInput, "name">) {
  const taskRuns = await runToEnd(service, team.id, workflow);
  return Object.fromEntries(
    taskRuns.map(({ name, status, statusMessage, results }) => [
      name,
      { status, message: statusMessage, results: Object.fromEntries(results.map((result) => [result.name, result.value])) },
    ]),
  );
}

const workspaces = [{ name: "workflowrun", type: "workflowrun" }];

function node(name: string, taskRef: string, params: Record<string, unknown>, more: Partial<WorkflowTask> = {}): WorkflowTask {
  return { name, taskRef, params: Object.entries(params).map(([param, value]) => ({ name: param, value })), ...more };
}

test("steps run in order, under their template, with lists as arguments, workspaces, results and those of steps", async () => {
  await save(`
apiVersion: tekton.dev/v1
kind: Task
metadata:
  name: several-steps
  annotations:
    millrace.dev/executor: process
spec:
  params:
    - name: words
      type: array
    - name: source
      type: object
      properties: { url: {}, depth: {} }
      default: { url: https://example.org, depth: 1.0 }
    - name: version
      default: 1.10
  workspaces:
    - name: shared
    - name: nowhere
      optional: true
  results:
    - name: count
    - name: words
      type: array
    - name: text
    - name: bound
  stepTemplate:
    image: docker.io/library/alpine:3.20
    env:
      - { name: LEVEL, value: template }
      - { name: VERSION, value: $(params.version) }
  steps:
    - name: count
      args: ["$(params.words[*])", "last"]
      results: [{ name: partial }]
      script: |
        #!/bin/sh
        set -eu
        printf '%s' "$#" > "$(results.count.path)"
        printf '%s|%s|%s' "$1" "$LEVEL" "$VERSION" > "$(step.results.partial.path)"
        echo "from the first step" > "$(workspaces.shared.path)/file"
    - env: [{ name: LEVEL, value: step }]
      command: [sh, -c]
      args:
        - |
          cat "$(steps.count.results.partial.path)" > "$(results.text.path)"
          printf '|%s|%s|$(params.source.url)|$(params.source.depth)' "$LEVEL" "$0" >> "$(results.text.path)"
        - $(params.words[1])
    - name: fails
      onError: continue
      script: exit 3
    - name: finish
      script: |
        printf '["%s", "%s"]' "$(cat "$(workspaces.shared.path)/file")" "$PARAM_VERSION" > "$(results.words.path)"
        printf '%s %s' "$(workspaces.shared.bound)" "$(workspaces.nowhere.bound)" > "$(results.bound.path)"
`);
  const outcome = await run({
    workspaces,
    tasks: [node("steps", "several-steps", { words: ["a b", "$(x)"] }, { workspaces: [{ name: "shared", type: "workflowrun" }] })],
  });
  expect(outcome["steps"]).toEqual({
    status: "succeeded",
    message: expect.anything(),
    results: {
      count: "3",
      text: "a b|template|1.10|step|$(x)|https://example.org|1.0",
      words: ["from the first step", "1.10"],
      bound: "true false",
    },
  });
});

test("steps take results of earlier ones as values, are skipped by conditions, and give results to the task", async () => {
  await save(`
apiVersion: tekton.dev/v1
kind: Task
metadata: { name: values, annotations: { millrace.dev/executor: process } }
spec:
  params: [{ name: word, default: "$(steps.make.results.tag)" }]
  results:
    - { name: version, value: $(steps.make.results.tag) }
    - { name: none, value: $(steps.skipped.results.never) }
    - { name: said }
  steps:
    - name: make
      results: [{ name: tag }]
      script: printf '$(reboot)1.2' > $(step.results.tag.path)
    - name: skipped
      results: [{ name: never }]
      when: [{ input: $(steps.make.results.tag), operator: in, values: ["1.2"] }]
      script: exit 9
    - name: use
      when: [{ input: $(params.word), operator: notin, values: ["$(steps.make.results.tag)"] }]
      env: [{ name: TAG, value: v$(steps.make.results.tag) }]
      script: printf '%s %s %s' "$TAG" "$1" "$(cat $(steps.skipped.exitCode.path))" > $(results.said.path)
      args: ["$(params.word)$(steps.make.results.tag)"]
`);
  const outcome = await run({ tasks: [node("values", "values", {})] });
  expect(outcome["values"]).toEqual({
    status: "succeeded",
    message: expect.anything(),
    results: { version: "$(reboot)1.2", said: "v$(reboot)1.2 $(steps.make.results.tag)$(reboot)1.2 0" },
  });
});

test("the example of the page on StepActions runs, and a changed StepAction does not change the task", async () => {
  const page = readFileSync(join(repositoryRoot, "docs/tasks/step-actions.md"), "utf8");
  const documents = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);
  const asProcess = "name: name-release, annotations: { millrace.dev/executor: process }";
  for (const document of documents) await save(document.replace("name: name-release", asProcess));
  await service.sql`update task set deleted_at = db_now() where team_id = ${team.id} and name = 'read-version'`;
  await save(documents[0]!.replace("default: v", "default: changed"));
  const example = JSON.parse(/^```json\n([\s\S]*?)^```$/m.exec(page)![1]!) as WorkflowTask;
  const outcome = await run({ tasks: [example] });
  expect(outcome["release"]).toMatchObject({ status: "succeeded", results: { name: "v1.2.0" } });
});

test("a secret that a StepAction is given is masked in its results", async () => {
  await save(`
apiVersion: tekton.dev/v1
kind: StepAction
metadata: { name: spell, annotations: { millrace.dev/params: [{ name: token, type: password }] } }
spec:
  params: [{ name: token }]
  results: [{ name: said }]
  script: printf '<%s>' "$(params.token)" > $(step.results.said.path)
`);
  await save(`
apiVersion: tekton.dev/v1
kind: Task
metadata:
  name: spells
  annotations: { millrace.dev/executor: process, millrace.dev/params: [{ name: key, type: password }] }
spec:
  params: [{ name: key }]
  results: [{ name: said, value: $(steps.say.results.said) }]
  steps: [{ name: say, ref: { name: spell }, params: [{ name: token, value: $(params.key) }] }]
`);
  const outcome = await run({ tasks: [node("say", "spells", { key: "s3cret-of-a-step" })] });
  expect(outcome["say"]).toMatchObject({ status: "succeeded", results: { said: "<***>" } });
});

test("a document that nothing here can run was loaded, and a workflow of it is refused by the name of what is missing", async () => {
  await save(`
apiVersion: tekton.dev/v1
kind: Task
metadata: { name: wants-a-cluster }
spec:
  steps:
    - name: push
      image: docker.io/library/alpine:3.20
      script: "true"
      volumeMounts: [{ name: cache, mountPath: /cache }]
  volumes: [{ name: cache, emptyDir: {} }]
  sidecars: [{ name: database, image: postgres, livenessProbe: { exec: { command: ["true"] } } }]
`);
  const refused = run({ tasks: [node("one", "wants-a-cluster", {})] });
  for (const word of ["/tasks/0/taskRef", "uses livenessProbe in the sidecar database", "no executor here"])
    await expect(refused).rejects.toThrow(word);
});

/** From the public catalogue, which is not part of this repository; read only if a checkout of it lies beside this one. */
const catalogue = join(repositoryRoot, "../shared/data/tekton-catalog");

test.runIf(existsSync(catalogue))(
  "a document of the public catalogue runs as it is where its steps need no more than a shell",
  async () => {
    const document = readFileSync(join(catalogue, "write-file.yaml"), "utf8");
    await save(document.replace("  annotations:\n", "  annotations:\n    millrace.dev/executor: process\n"));
    await save(`
apiVersion: tekton.dev/v1
kind: Task
metadata: { name: read-file, annotations: { millrace.dev/executor: process } }
spec:
  workspaces: [{ name: input }]
  results: [{ name: content }]
  steps: [{ workingDir: $(workspaces.input.path), script: 'cat a/b.txt > "$(results.content.path)"; stat -c %a a/b.txt >> "$(results.content.path)"' }]
`);
    const outcome = await run({
      workspaces,
      tasks: [
        node(
          "write",
          "write-file",
          { path: "a/b.txt", contents: "it's $HOME\n" },
          { workspaces: [{ name: "output", type: "workflowrun" }] },
        ),
        node(
          "read",
          "read-file",
          {},
          {
            dependencies: [{ taskRef: "write", executionCondition: "success" }],
            workspaces: [{ name: "input", type: "workflowrun" }],
          },
        ),
      ],
    });
    expect(outcome["read"]).toMatchObject({ status: "succeeded", results: { content: "it's $HOME\n755\n" } });
  },
);
