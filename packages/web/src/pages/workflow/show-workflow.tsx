import { EditorView } from "@codemirror/view";
import { screen } from "@testing-library/react";
import type { FunctionComponent } from "react";
import { callerQuery, teamQuery } from "../../api/queries/identity/session.ts";
import type { Workflow } from "../../api/queries/workflow/workflows.ts";
import { CodeView } from "../../editor/code/code-view.tsx";
import { Designer } from "../../editor/designer.tsx";
import { service } from "../../ui/answer-requests.ts";
import { showPages } from "../../ui/show-component.tsx";
import { WorkflowFrame } from "./workflow-frame.tsx";

interface Shown {
  /** In addition to the graph and the code, by the end of their routes, such as `configure/$section`. */
  pages?: Readonly<Record<string, FunctionComponent>>;
  permissions?: readonly string[];
  /** Definitions of tasks, beside `sleep` and `execute-shell`. */
  tasks?: readonly object[];
  /** For the saved workflow, by the text of the request. */
  problems?: (body: string) => readonly object[];
}

const author = ["workflow/read", "workflow/write", "workflow/action"];

const text = (name: string, label: string) => ({ name, label, type: "text" });
const definition = (name: string, displayName: string, type: string, param: object) => ({
  ...{ name, displayName, type, version: 1, status: "active", spec: { params: [param] } },
});
const globalTasks = [
  definition("sleep", "Sleep", "sleep", text("duration", "Duration")),
  definition("execute-shell", "Execute Shell", "script", text("script", "Script")),
  definition("switch", "Switch", "decision", text("value", "Value")),
];

/** A task that runs a script, after others. */
export function shell(name: string, after: readonly string[] = [], script = "true") {
  const dependencies = (after.length === 0 ? ["start"] : after).map((taskRef) => ({ taskRef, executionCondition: "always" }));
  return { name, taskRef: "execute-shell", taskVersion: 1, type: "script", dependencies, params: [{ name: "script", value: script }] };
}

/**
 * For tests of what is done to one workflow: its pages, beginning with one of them, and a service that keeps it with its versions as the
 * real one does, except where the test has said before what it answers. Clear `service.byEnd` after each test.
 */
export async function showWorkflow(view: string, more: object = {}, { pages = {}, permissions = author, ...given }: Shown = {}) {
  const kept = keepWorkflow(more, given);
  const frame = "/$team/workflows/$workflow";
  const all = { design: Designer, code: CodeView, ...pages };
  const shown = await showPages(
    { [frame]: WorkflowFrame, ...Object.fromEntries(Object.entries(all).map(([end, page]) => [`${frame}/${end}`, page])) },
    [
      [callerQuery.queryKey, { id: "user:1", userId: "1", kind: "session", permissions, teams: [] }],
      [teamQuery("owls").queryKey, { name: "owls", displayName: "Owls", quotas: {}, approverGroups: [], labels: {} }],
    ],
    `/owls/workflows/report/${view}`,
  );
  /** As someone else. */
  const saveElsewhere = (body: object) => kept.save({ ...body, changelog: { author: "Bea", date: "2026-03-01T12:00:00Z" } });
  return { ...shown, kept, saveElsewhere };
}

/** The service's side: the workflow now, and what was sent to be saved. */
function keepWorkflow(more: object, { tasks = [], problems }: Pick<Shown, "tasks" | "problems">) {
  let revision = 1;
  const headers = () => ({ etag: `"${revision}"` });
  const kept = {
    workflow: { ...savedWorkflow, ...more } as object as Workflow,
    saves: [] as { body: Workflow; isVersion: boolean }[],
    save(body: object, isVersion = true) {
      revision++;
      kept.workflow = { ...kept.workflow, ...body, version: (kept.workflow.version ?? 0) + Number(isVersion) };
    },
  };
  const answer: typeof service.byEnd.set = (end, given) => (service.byEnd.has(end) ? service.byEnd : service.byEnd.set(end, given));
  const always = (end: string, body: object) => answer(end, () => ({ status: 200, body }));
  answer("/validate", (body) => ({ status: 200, body: problems?.(JSON.stringify(body)) ?? [] }));
  answer("/workflow/report", (_, { searchParams }) => {
    const older = { ...savedWorkflow, tasks: [{ name: "start" }, shell("older")] };
    return { status: 200, headers: headers(), body: searchParams.has("version") ? older : kept.workflow };
  });
  always("/workflow/report/available-parameters", []);
  always("/workflow/report/editing", { editors: [] });
  always("/workflow/report/preview", { values: [], references: [] });
  always("/workflowrun/query", { content: [] });
  always("/team/owls/task/query", { content: tasks });
  always("/v2/task/query", { content: globalTasks });
  answer("/team/owls/workflow", (sent, { searchParams }, request) => {
    if ((request.headers.get("if-match") ?? headers().etag) !== headers().etag)
      return { status: 412, body: { status: 412, reason: "PRECONDITION_FAILED", message: "outrun" } };
    const isVersion = searchParams.get("replace") !== "true";
    kept.saves.push({ body: sent as Workflow, isVersion });
    kept.save(sent as Workflow, isVersion);
    return { status: 200, body: kept.workflow, headers: headers() };
  });
  return kept;
}

const savedWorkflow = {
  ...{ name: "report", displayName: "Report", status: "active", version: 1, params: [] },
  changelog: { author: "Ada", date: "2026-02-01T12:00:00Z" },
  tasks: [{ name: "start" }, shell("a")],
};

/** The editor of a text that has this label. */
export function editorOf(label: string): EditorView | null {
  const field = screen.queryByRole("textbox", { name: label });
  return field && EditorView.findFromDOM(field);
}

/** The text of an editor: without a layout, its lines are not drawn. */
export const textOf = (label: string) => editorOf(label)?.state.doc.toString();
