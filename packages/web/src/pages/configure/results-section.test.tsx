import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { callerQuery, teamQuery } from "../../api/queries/identity/session.ts";
import { taskCatalogQuery } from "../../api/queries/task/task-catalog.ts";
import { recentRunsQuery } from "../../api/queries/workflow/trials.ts";
import { availableParametersQuery, type LoadedWorkflow } from "../../api/queries/workflow/workflow-draft.ts";
import { newSetter, resultsFault } from "../../editor/declared/result-list.ts";
import { useDraft } from "../../editor/draft/draft-context.ts";
import { DraftProvider } from "../../editor/draft/draft-provider.tsx";
import { TrialProvider } from "../../editor/trial/trial-provider.tsx";
import { service } from "../../ui/answer-requests.ts";
import { showPage } from "../../ui/show-component.tsx";
import { ResultsSection } from "./declared-sections.tsx";

const set = (output: string, value: string) => ({
  ...{ name: `set-${output}`, taskRef: "set-result-parameter", type: "setwfproperty", dependencies: [{ taskRef: "start" }] },
  params: [
    { name: "output", value: output },
    { name: "value", value },
  ],
});
const tasks = [
  { name: "start", type: "start" },
  set("total", "1"),
  set("lines", "[]"),
  { name: "end", type: "end", dependencies: [{ taskRef: "set-total" }] },
];
beforeEach(() => {
  service.byEnd.set("/validate", () => ({ status: 200, body: [] }));
  service.byEnd.set("/preview", () => ({
    status: 200,
    body: { values: [], references: [{ reference: "$(params.city)", kind: "parameter" }] },
  }));
});
afterEach(() => {
  cleanup();
  service.byEnd.clear();
  service.sent.length = 0;
});

let draft: ReturnType<typeof useDraft>["history"]["present"];

function Section() {
  draft = useDraft().history.present;
  return <ResultsSection team="owls" workflow={loadedWith().data} />;
}

function loadedWith(results?: object[]): LoadedWorkflow {
  return { data: { name: "w", version: 1, params: [], tasks, ...(results && { results }) }, etag: "1" } as unknown as LoadedWorkflow;
}

function open(results?: object[]) {
  const known = [
    [callerQuery.queryKey, { id: "ada", permissions: ["workflow/write", "workflow/read"], teams: [] }],
    [taskCatalogQuery("owls").queryKey, []],
    [availableParametersQuery("owls", "w").queryKey, ["params.city"]],
    [recentRunsQuery("owls", "w").queryKey, []],
    [teamQuery("owls").queryKey, { approverGroups: [] }],
  ] as const;
  return showPage(
    <DraftProvider team="owls" workflow="w" loaded={loadedWith(results)} whyNotEdit={undefined}>
      <TrialProvider>
        <Section />
      </TrialProvider>
    </DraftProvider>,
    known,
  );
}

test("what tasks set can be declared at once, each with its type and its value", async () => {
  const { user } = await open();
  expect(screen.getByText(/declares no results/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Declare what tasks set: total, lines" }));
  expect(draft["results"]).toEqual([{ name: "total" }, { name: "lines" }]);
  const total = within(screen.getByRole("region", { name: "Result total" }));
  await user.click(total.getByRole("combobox", { name: "Type" }));
  await user.click((await screen.findAllByRole("option", { name: "Number", hidden: true }))[0] as HTMLElement);
  fireEvent.change(total.getByRole("textbox", { name: "Description" }), { target: { value: "In euros" } });
  expect(draft["results"]).toEqual([{ name: "total", type: "number", description: "In euros" }, { name: "lines" }]);
  const value = total.getByRole("textbox", { name: "Value, set by set-total" });
  fireEvent.change(value, { target: { value: "$(params.ci", selectionStart: 11 } });
  expect(await screen.findByRole("option", { name: "params.city" })).toBeTruthy();
  expect(draft.tasks[1]?.params).toContainEqual({ name: "value", value: "$(params.ci" });
  await user.click(screen.getByRole("button", { name: "Discard changes" }));
  expect([draft["results"], draft.tasks[1]?.params]).toEqual([undefined, set("total", "1").params]);
});

test("a result that no task sets gets one before the end", async () => {
  const { user } = await open([{ name: "total" }, { name: "lines" }, { name: "sum" }]);
  await user.click(screen.getByRole("button", { name: "Add a task that sets it" }));
  const added = draft.tasks.find(({ name }) => name === "set-sum");
  expect(added).toMatchObject({ taskRef: "set-result-parameter", dependencies: [{ taskRef: "set-total" }] });
  expect(draft.tasks.find(({ name }) => name === "end")?.dependencies).toMatchObject([{ taskRef: "set-sum" }]);
  expect(screen.getByRole("textbox", { name: "Value, set by set-sum" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Remove total" }));
  expect(draft["results"]).toEqual([{ name: "lines" }, { name: "sum" }]);
});

test("names that can't be saved are named at their field", async () => {
  const { user } = await open([{ name: "total" }]);
  await user.click(screen.getByRole("button", { name: "Add result" }));
  fireEvent.change(screen.getAllByRole("textbox", { name: "Name" })[1]!, { target: { value: "total" } });
  await waitFor(() => expect(screen.getAllByText("Another result has this name.").length).toBeGreaterThan(0));
  expect(draft["results"]).toEqual([{ name: "total" }, { name: "result" }]);
  expect(resultsFault([{ name: " " }])).toBe("Enter a name.");
  expect(newSetter([], "x")[1]).toEqual({ after: "start" });
});
