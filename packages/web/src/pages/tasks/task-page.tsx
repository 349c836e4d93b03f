import { useQuery } from "@tanstack/react-query";
import { type TaskScope, taskQuery } from "../../api/queries/task/tasks.ts";
import { PageView } from "../../components/missing/page-view.tsx";
import { hasSteps } from "../../forms/task-form/task-draft.ts";
import { setYaml } from "../../forms/task-form/yaml-edit.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { useParam, useTeam } from "../../hooks/use-team.ts";
import { t } from "../../texts/task/tasks.ts";
import { TaskEditor } from "./editor/task-editor.tsx";

export function TeamTaskPage() {
  const team = useTeam();
  return <TaskPage scope={team} />;
}

export function GlobalTaskPage() {
  return <TaskPage scope={undefined} />;
}

/** One task. With `new` in the URL, a task that isn't stored yet. */
function TaskPage({ scope }: { scope: TaskScope }) {
  const name = useParam("task");
  const [{ new: made, from }] = useSearchState({ new: "", from: "" });
  if (made === "copy") return <CopiedTask key={name} scope={scope} name={name} from={from} />;
  if (made !== "") return <TaskEditor key={name} scope={scope} name={name} initial={starterDocument(name, made)} stored={undefined} />;
  return <StoredTask key={name} scope={scope} name={name} />;
}

function StoredTask({ scope, name }: { scope: TaskScope; name: string }) {
  return (
    <PageView
      query={useQuery(taskQuery(scope, name))}
      label={t("taskPage.loadingTask")}
      rows={8}
      sought={{ kind: "task", name, team: scope }}
    >
      {(stored) => <TaskEditor scope={scope} name={name} initial={stored.text} stored={stored} />}
    </PageView>
  );
}

/** @param from `team/NAME` or `global/NAME` */
function CopiedTask({ scope, name, from }: { scope: TaskScope; name: string; from: string }) {
  const [whose, ...rest] = from.split("/");
  const { data, error } = useQuery(taskQuery(whose === "team" ? scope : undefined, rest.join("/")));
  return (
    <PageView
      query={{ data, error }}
      label={t("taskPage.loadingTaskCopy")}
      rows={8}
      sought={{ kind: "task", name: rest.join("/"), team: whose === "team" ? scope : undefined }}
    >
      {({ text }) => <TaskEditor scope={scope} name={name} initial={copiedDocument(text, name)} stored={undefined} />}
    </PageView>
  );
}

/** The initial document for a new task of that type. */
function starterDocument(name: string, type: string): string {
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

/** The document of another task under a new name, without its version, its status and the mark of shipped tasks. */
function copiedDocument(text: string, name: string): string {
  const annotations = ["version", "verified", "status"].map((one) => ["metadata", "annotations", `millrace.dev/${one}`]);
  const cleared = annotations.reduce((copy, path) => setYaml(copy, path, undefined), text);
  return setYaml(cleared, ["metadata", "name"], name);
}
