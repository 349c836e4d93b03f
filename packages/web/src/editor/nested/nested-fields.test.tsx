import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { useState } from "react";
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
import { NestedDeclarations } from "./nested-declarations.tsx";
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
  const [isDeclaring, declare] = useState(false);
  return (
    <>
      <button type="button" onClick={() => change((draft) => removeNodes(draft, new Set(["count"])))}>
        {history.present.tasks.map(({ name }) => name).join(" ")}
      </button>
      <button type="button" onClick={() => declare(true)}>
        Declare
      </button>
      {isDeclaring && <NestedDeclarations onClose={() => declare(false)} />}
    </>
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

test("a nested workflow is opened from its task, left by the breadcrumbs, and edited like any workflow", async () => {
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

test("its parameters are listed beside it, and keep members that the form doesn't show", async () => {
  const { user } = await open();
  await user.type(screen.getByRole("combobox", { name: "Parameters of the nested workflow" }), "other{Enter}");
  expect(nested()?.params).toEqual([
    { name: "word", type: "number" },
    { name: "other", type: "text" },
  ]);
});

test("its parameters and results have the forms of any workflow, and are those of the nested one alone", async () => {
  const { user } = await open();
  await user.click(screen.getByRole("button", { name: "Open nested workflow" }));
  await user.click(await screen.findByRole("button", { name: "Declare" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Parameters and results" }));
  await user.click(dialog.getByRole("button", { name: /^word/ }));
  const name = dialog.getAllByRole("textbox", { name: "Name" })[0] as HTMLElement;
  // An empty name stays in the field, and isn't written to the draft.
  fireEvent.change(name, { target: { value: "" } });
  expect(nested()?.params).toEqual(inner.params);
  expect(name.getAttribute("aria-invalid")).toBe("true");
  fireEvent.change(name, { target: { value: "weight" } });
  await user.click(dialog.getByRole("checkbox", { name: "Required" }));
  expect(nested()?.params).toEqual([{ name: "weight", type: "number", required: true }]);

  await user.click(dialog.getByRole("button", { name: "Add result" }));
  await user.click(dialog.getByRole("button", { name: "Add a task that sets it" }));
  expect(nested()?.results).toEqual([{ name: "result" }]);
  expect(nested()?.tasks?.map((task) => task.name)).toContain("set-result");
  expect([whole?.params, whole?.results]).toEqual([[], undefined]);
  await user.click(dialog.getByRole("button", { name: "Done" }));
  expect(screen.queryByRole("dialog")).toBeNull();
});
