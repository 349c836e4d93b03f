import { useQuery } from "@tanstack/react-query";
import { type TaskScope, taskQuery } from "../../api/queries/tasks.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { useParam, useTeam } from "../../hooks/use-team.ts";
import { t } from "../../texts/tasks.ts";
import { QueryView } from "../../ui/state/query-view.tsx";
import { TaskEditor } from "./editor/task-editor.tsx";
import { copiedDocument, starterDocument } from "./starter-documents.ts";

export function TeamTaskPage() {
  const team = useTeam();
  return <TaskPage scope={team} />;
}

export function GlobalTaskPage() {
  return <TaskPage scope={undefined} />;
}

/** One task; with `new` in the address one that is not stored yet. */
function TaskPage({ scope }: { scope: TaskScope }) {
  const name = useParam("task");
  const [{ new: made, from }] = useSearchState({ new: "", from: "" });
  if (made === "copy") return <CopiedTask key={name} scope={scope} name={name} from={from} />;
  if (made !== "") return <TaskEditor key={name} scope={scope} name={name} initial={starterDocument(name, made)} stored={undefined} />;
  return <StoredTask key={name} scope={scope} name={name} />;
}

function StoredTask({ scope, name }: { scope: TaskScope; name: string }) {
  return (
    <QueryView query={useQuery(taskQuery(scope, name))} label={t("taskPage.loadingTask")} rows={8}>
      {(stored) => <TaskEditor scope={scope} name={name} initial={stored.text} stored={stored} />}
    </QueryView>
  );
}

/** @param from `team/NAME` or `global/NAME` */
function CopiedTask({ scope, name, from }: { scope: TaskScope; name: string; from: string }) {
  const [whose, ...rest] = from.split("/");
  const { data, error } = useQuery(taskQuery(whose === "team" ? scope : undefined, rest.join("/")));
  return (
    <QueryView query={{ data, error }} label={t("taskPage.loadingTaskCopy")} rows={8}>
      {({ text }) => <TaskEditor scope={scope} name={name} initial={copiedDocument(text, name)} stored={undefined} />}
    </QueryView>
  );
}
