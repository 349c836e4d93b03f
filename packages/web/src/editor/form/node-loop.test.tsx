import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { callerQuery } from "../../api/queries/identity/session.ts";
import { taskCatalogQuery } from "../../api/queries/task/task-catalog.ts";
import { availableParametersQuery, type LoadedWorkflow } from "../../api/queries/workflow/workflow-draft.ts";
import { service } from "../../ui/answer-requests.ts";
import { showPage } from "../../ui/show-component.tsx";
import type { DraftTask } from "../draft/draft.ts";
import { useDraft } from "../draft/draft-context.ts";
import { DraftProvider } from "../draft/draft-provider.tsx";
import { findTask } from "../draft/graph-edits.ts";
import { PreviewProvider } from "../node/preview-provider.tsx";
import { TrialProvider } from "../trial/trial-provider.tsx";
import { NodeSettings } from "./node-settings.tsx";

const tasks = [{ name: "start" }, { name: "poll", taskRef: "http", dependencies: [{ taskRef: "start" }], forEach: { items: [1] } }];
const loaded = { data: { name: "w", version: 1, params: [], tasks }, etag: "1" } as unknown as LoadedWorkflow;
let now: DraftTask | undefined;

beforeEach(() => void service.byEnd.set("/validate", () => ({ status: 200, body: [] })));

afterEach(() => {
  cleanup();
  service.byEnd.clear();
});

function Settings() {
  now = findTask(useDraft().history.present, "poll");
  return now ? (
    <PreviewProvider task={now}>
      <NodeSettings task={now} />
    </PreviewProvider>
  ) : null;
}

/** What the service returns for the loop and the list. */
let told: object = {};

async function open(answer: object = {}) {
  told = answer;
  service.byEnd.set("/preview", () => ({ status: 200, body: { values: [], references: [], ...told } }));
  const known = [
    [callerQuery.queryKey, { id: "ada", permissions: ["workflow/write", "workflow/read"], teams: [] }],
    [taskCatalogQuery("owls").queryKey, []],
    [availableParametersQuery("owls", "w").queryKey, []],
    [["team", "owls"], { approverGroups: [] }],
  ] as const;
  return showPage(
    <DraftProvider team="owls" workflow="w" loaded={loaded} whyNotEdit={undefined}>
      <TrialProvider>
        <Settings />
      </TrialProvider>
    </DraftProvider>,
    known,
  );
}

test("a task is repeated on a condition or for each item of a list, and never both", async () => {
  const { user } = await open();
  const loop = screen.getByRole("switch", { name: "Repeat on a condition" });
  expect(screen.queryByLabelText("Maximum rounds")).toBeNull();
  await user.click(loop);
  expect(now?.forEach).toBeNull();
  expect(now?.loop).toEqual({ until: { value: "$(loop.previous.results.state)", matches: "done" } });
  await user.click(screen.getByRole("switch", { name: "Repeat for each item" }));
  expect([now?.loop, now?.forEach]).toEqual([null, { items: "" }]);
});

test("the form writes the loop of the document", async () => {
  const { user } = await open();
  await user.click(screen.getByRole("switch", { name: "Repeat on a condition" }));
  fireEvent.change(screen.getByRole("textbox", { name: "True if the value matches" }), { target: { value: "done\nfailed" } });
  fireEvent.change(screen.getByRole("textbox", { name: "Maximum rounds" }), { target: { value: "20" } });
  fireEvent.change(screen.getByRole("textbox", { name: "Pause between rounds (seconds)" }), { target: { value: "30" } });
  await user.click(screen.getByRole("checkbox", { name: "A failed round ends the loop" }));
  expect(now?.loop).toEqual({
    until: { value: "$(loop.previous.results.state)", matches: "done\nfailed" },
    maxRounds: 20,
    pauseSeconds: 30,
    stopAtFailure: false,
  });
});

test.each([
  [{ loop: { rounds: 2, value: "busy", holds: false, ends: false } }, "After 2 rounds, the next one starts."],
  [{ loop: { rounds: 1, value: "done", holds: true, ends: true } }, "After 1 round, the loop ends."],
  [{ loop: { rounds: 0, value: "0", holds: false, ends: true } }, "False before the first round: the loop ends without a round."],
  [{ loop: { rounds: 0, why: "choose a run" } }, "Not known yet: choose a run"],
])("the result is shown below the condition: %j", async (answer, text) => {
  const { user } = await open(answer);
  await user.click(screen.getByRole("switch", { name: "Repeat on a condition" }));
  expect(await screen.findByText(text)).toBeTruthy();
});

test.each([
  [{ items: { count: 3, first: "a" } }, "3 items, the first: a"],
  [{ items: { count: 0 } }, "No items: the task ends immediately."],
  [{ items: { why: "it must be a list, and is Oslo" } }, "Not known yet: it must be a list, and is Oslo"],
])("the items are shown below the list: %j", async (answer, text) => {
  await open(answer);
  expect(await screen.findByText(text)).toBeTruthy();
});
