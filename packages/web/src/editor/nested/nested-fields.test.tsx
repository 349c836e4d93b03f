import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { callerQuery } from "../../api/queries/identity/session.ts";
import { taskCatalogQuery } from "../../api/queries/task/task-catalog.ts";
import { availableParametersQuery, type LoadedWorkflow } from "../../api/queries/workflow/workflow-draft.ts";
import { service } from "../../ui/answer-requests.ts";
import { showPage } from "../../ui/show-component.tsx";
import type { Draft } from "../draft/draft.ts";
import { useDraft } from "../draft/draft-context.ts";
import { DraftProvider } from "../draft/draft-provider.tsx";
import { findTask, removeNodes } from "../draft/graph-edits.ts";
import { TrialProvider } from "../trial/trial-provider.tsx";
import { NestedFields } from "./nested-fields.tsx";
import { NestedOpener } from "./nested-opener.ts";
import { NestedCrumbs, NestedScope, useNestedPath } from "./nested-scope.tsx";

const inner = { params: [{ name: "word", type: "number" }], tasks: [{ name: "start" }, { name: "count" }, { name: "write" }] };
const tasks = [{ name: "start" }, { name: "group", taskRef: "run-workflow", workflow: inner }];
const loaded = { data: { name: "w", displayName: "Words", version: 1, params: [], tasks }, etag: "1" } as unknown as LoadedWorkflow;
let whole: Draft | undefined;

beforeEach(() => void service.byEnd.set("/validate", () => ({ status: 200, body: [] })));
afterEach(() => {
  cleanup();
  service.byEnd.clear();
});

function Place() {
  whole = useDraft().history.present;
  const { path, open } = useNestedPath();
  const group = findTask(whole, "group");
  if (path.length === 0) return <NestedOpener value={(task) => open([task])}>{group && <NestedFields task={group} />}</NestedOpener>;
  return (
    <>
      <NestedCrumbs path={path} onOpen={open} />
      <NestedScope path={path}>
        <Inner />
      </NestedScope>
    </>
  );
}

function Inner() {
  const { history, change } = useDraft();
  return (
    <button type="button" onClick={() => change((draft) => removeNodes(draft, new Set(["count"])))}>
      {history.present.tasks.map(({ name }) => name).join(" ")}
    </button>
  );
}

const open = () =>
  showPage(
    <DraftProvider team="owls" workflow="w" loaded={loaded} whyNotEdit={undefined}>
      <TrialProvider>
        <Place />
      </TrialProvider>
    </DraftProvider>,
    [
      [callerQuery.queryKey, { id: "ada", permissions: ["workflow/write", "workflow/read"], teams: [] }],
      [taskCatalogQuery("owls").queryKey, []],
      [availableParametersQuery("owls", "w").queryKey, []],
      [["team", "owls"], { approverGroups: [] }],
    ],
  );
const nested = () => findTask(whole as Draft, "group")?.workflow;

test("a nested workflow is opened from its task, left by its crumbs, and changed as a workflow of its own", async () => {
  const { user } = await open();
  expect(screen.getByText("2 tasks")).toBeTruthy();
  const enter = () => user.click(screen.getByRole("button", { name: "Open nested workflow" }));
  await enter();
  await user.click(await screen.findByRole("button", { name: "Words" }));
  await enter();
  await user.click(await screen.findByRole("button", { name: "start count write" }));
  expect(screen.getByRole("button", { name: "start write" })).toBeTruthy();
  expect(nested()?.tasks?.map(({ name }) => name)).toEqual(["start", "write"]);
});

test("its parameters are named beside it, and keep what is known of them", async () => {
  const { user } = await open();
  await user.type(screen.getByRole("combobox", { name: "Parameters of the nested workflow" }), "other{Enter}");
  expect(nested()?.params).toEqual([
    { name: "word", type: "number" },
    { name: "other", type: "text" },
  ]);
});
