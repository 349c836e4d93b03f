import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { type TaskScope, taskQuery } from "../../api/queries/tasks.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { useTeam } from "../../hooks/use-team.ts";
import { ErrorState } from "../../ui/state/error-state.tsx";
import { LoadingState } from "../../ui/state/loading-state.tsx";
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
  const { task: name } = useParams({ strict: false }) as { task: string };
  const [{ new: made, from }] = useSearchState({ new: "", from: "" });
  if (made === "copy") return <CopiedTask key={name} scope={scope} name={name} from={from} />;
  if (made !== "") return <TaskEditor key={name} scope={scope} name={name} initial={starterDocument(name, made)} stored={undefined} />;
  return <StoredTask key={name} scope={scope} name={name} />;
}

function StoredTask({ scope, name }: { scope: TaskScope; name: string }) {
  const { data, error, refetch } = useQuery(taskQuery(scope, name));
  if (data !== undefined) return <TaskEditor scope={scope} name={name} initial={data.text} stored={data} />;
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <LoadingState label="Loading task" rows={8} />;
}

/** @param from `team/NAME` or `global/NAME` */
function CopiedTask({ scope, name, from }: { scope: TaskScope; name: string; from: string }) {
  const [whose, ...rest] = from.split("/");
  const { data, error } = useQuery(taskQuery(whose === "team" ? scope : undefined, rest.join("/")));
  if (error !== null) return <ErrorState error={error} />;
  if (data === undefined) return <LoadingState label="Loading task to copy" rows={8} />;
  return <TaskEditor scope={scope} name={name} initial={copiedDocument(data.text, name)} stored={undefined} />;
}
