import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { callerQuery } from "../../api/queries/identity/session.ts";
import { taskCatalogQuery } from "../../api/queries/task/task-catalog.ts";
import { recentRunsQuery } from "../../api/queries/workflow/trials.ts";
import { availableParametersQuery, type LoadedWorkflow } from "../../api/queries/workflow/workflow-draft.ts";
import { service } from "../../ui/answer-requests.ts";
import { showPage } from "../../ui/show-component.tsx";
import { SelectionContext } from "../canvas/flow-elements.ts";
import { useDraft } from "../draft/draft-context.ts";
import { DraftProvider } from "../draft/draft-provider.tsx";
import { findTask } from "../draft/graph-edits.ts";
import { TrialDialog } from "../trial/trial-dialog.tsx";
import { TrialProvider } from "../trial/trial-provider.tsx";
import { NodeEditor } from "./node-editor.tsx";

interface Sent {
  only?: string;
  upTo?: string;
  draft: { tasks: { name: string; params: { name: string; value: unknown }[] }[] };
  params?: unknown;
  pinned?: Record<string, unknown>;
  fromRun?: string;
  expressions?: unknown[];
  references?: boolean;
}

const tasks = [
  { name: "start" },
  { name: "fetch", taskRef: "http", dependencies: [{ taskRef: "start" }], params: [] },
  { name: "send", taskRef: "http", dependencies: [{ taskRef: "fetch" }], params: [{ name: "url", value: "https://x/$(params.city)" }] },
];
const loaded = {
  data: { name: "w", version: 1, params: [{ name: "city", type: "text", default: "Oslo" }], tasks },
  etag: "1",
} as LoadedWorkflow;
const http = {
  name: "http",
  displayName: "Call",
  type: "template",
  version: 1,
  status: "active",
  spec: {
    params: [
      { name: "url", type: "text", label: "URL" },
      { name: "body", type: "text", label: "Body" },
    ],
  },
};
const references = [
  { reference: "$(params.city)", kind: "parameter", layer: "workflow", lastValue: "Oslo" },
  { reference: "$(tasks.fetch.results.body)", kind: "result", task: "fetch", lastValue: "snow" },
];

/** The requests that the service received, and its responses. */
const asked = { previews: [] as Sent[], trials: [] as Sent[] };
let values: object[] = [];
let ranTasks: object[] = [];
let refusal: { status: number; body: object } | undefined;

beforeEach(() => {
  values = [];
  ranTasks = [];
  refusal = undefined;
  const answer = (body: object) => () => ({ status: 200, body });
  service.byEnd.set("/validate", answer([]));
  service.byEnd.set("/preview", (body) => {
    asked.previews.push(body as Sent);
    return { status: 200, body: { values, references } };
  });
  service.byEnd.set("/workflow/w/try", (body) => {
    asked.trials.push(body as Sent);
    return refusal ?? { status: 200, body: { id: "trial-1" } };
  });
  service.byEnd.set("/workflowrun/trial-1", () => ({
    status: 200,
    body: { id: "trial-1", status: "succeeded", phase: "completed", creationDate: "2026-11-28T10:00:00Z", tasks: ranTasks },
  }));
});

afterEach(() => {
  cleanup();
  service.byEnd.clear();
  service.sent.length = 0;
  asked.previews.length = 0;
  asked.trials.length = 0;
  sessionStorage.clear();
});

function Opened({ name, onClose = () => {} }: { name: string; onClose?: () => void }) {
  const { history } = useDraft();
  const task = findTask(history.present, name);
  return task ? <NodeEditor task={task} onClose={onClose} onOpen={() => {}} /> : null;
}

function Selected({ children }: { children: React.ReactNode }) {
  const [selected] = useState<ReadonlySet<string>>(new Set(["send"]));
  return <SelectionContext value={{ selected, select: () => {}, rename: () => {}, keyOf: (id) => id }}>{children}</SelectionContext>;
}

const newest = [{ id: "run-1", status: "succeeded", phase: "completed", creationDate: "2026-11-28T10:00:00Z" }];

/** @param runs null: the service is asked */
async function openEditor(content = <Opened name="send" />, runs: object[] | null = newest) {
  const known = [
    [callerQuery.queryKey, { id: "ada", permissions: ["workflow/action", "workflow/write", "workflow/read"], teams: [] }],
    [taskCatalogQuery("owls").queryKey, [{ ...http, isOfTeam: false }]],
    [availableParametersQuery("owls", "w").queryKey, ["params.city", "team.params.key"]],
    ...(runs ? [[recentRunsQuery("owls", "w").queryKey, runs] as const] : []),
    [["team", "owls"], { approverGroups: [] }],
  ] as const;
  return showPage(
    <DraftProvider team="owls" workflow="w" loaded={loaded} whyNotEdit={undefined}>
      <TrialProvider>
        <Selected>{content}</Selected>
      </TrialProvider>
    </DraftProvider>,
    known,
  );
}

const url = () => screen.getByRole<HTMLInputElement>("textbox", { name: "URL" });
const pane = (name: string) => within(screen.getByRole("region", { name }));

test("the current value is shown below a field, and outdated responses are dropped", async () => {
  values = [{ value: "https://x/Oslo" }];
  const { user } = await openEditor();
  await screen.findByText("https://x/Oslo");
  expect(asked.previews[0]).toMatchObject({
    node: "send",
    expressions: [{ text: "https://x/$(params.city)", param: "url" }],
    fromRun: "run-1",
  });
  await user.type(url(), "/y");
  expect(screen.queryByText("https://x/Oslo")).toBeNull();
  await waitFor(() => expect(asked.previews.at(-1)?.expressions).toEqual([{ text: "https://x/$(params.city)/y", param: "url" }]));
});

test("an unknown reference is reported and underlined at once, before the service responds", async () => {
  const { user } = await openEditor();
  await user.clear(url());
  fireEvent.change(url(), { target: { value: "$(params.citty) $(team.params.key)" } });
  expect(screen.getByText(/^\$\(params\.citty\) leads nowhere/)).toBeTruthy();
  expect(document.querySelector("u")?.textContent).toBe("$(params.citty)");
});

test("parameters are offered before results, each with its last value", async () => {
  values = [{ value: "https://x/Oslo" }];
  const { user } = await openEditor();
  await screen.findByText("https://x/Oslo");
  await user.click(url());
  fireEvent.change(url(), { target: { value: "$(", selectionStart: 2 } });
  const offers = await screen.findAllByRole("option");
  expect(offers.slice(0, 1).map(({ textContent }) => textContent)).toEqual(["params.cityOslo"]);
});

test("a click inserts a value of the input at the caret, and the values can be searched", async () => {
  const { user } = await openEditor();
  await user.click(url());
  await user.keyboard("{End}/");
  const value = await pane("Input").findByRole("button", { name: /^Insert \$\(tasks\.fetch\.results\.body\)/ });
  await user.click(value);
  expect(url().value).toBe("https://x/$(params.city)/$(tasks.fetch.results.body)");
  await user.type(pane("Input").getByRole("textbox", { name: "Search values" }), "snow");
  expect(pane("Input").queryByRole("button", { name: /^Insert \$\(params\.city\)/ })).toBeNull();
});

test("a step is tried as it is on the screen, with pinned outputs of those before; its output can be pinned in turn", async () => {
  sessionStorage.setItem("millrace-pins-owls/w", JSON.stringify({ fetch: { results: [{ name: "body", value: "snow" }] } }));
  ranTasks = [
    { id: "t1", name: "fetch", type: "template", status: "succeeded", pinned: true },
    { id: "t2", name: "send", type: "template", status: "succeeded", results: [{ name: "code", value: 200 }] },
  ];
  const { user } = await openEditor();
  await user.clear(url());
  await user.type(url(), "https://y");
  await user.click(screen.getByRole("button", { name: "Run this step" }));
  await pane("Output").findByText("200");
  const [sent] = asked.trials;
  expect(sent).toMatchObject({ only: "send", fromRun: "run-1" });
  expect(sent?.pinned).toEqual({ fetch: { results: [{ name: "body", value: "snow" }] } });
  expect(sent?.draft.tasks.find(({ name }) => name === "send")?.params).toEqual([{ name: "url", value: "https://y" }]);
  await user.click(pane("Output").getByRole("button", { name: "Pin output" }));
  expect(JSON.parse(sessionStorage.getItem("millrace-pins-owls/w") ?? "{}")["send"]).toEqual({
    status: "succeeded",
    results: [{ name: "code", value: 200 }],
    stamp: expect.any(String),
  });
  expect(pane("Output").queryByText("Changed since")).toBeNull();
  await user.type(url(), "/z");
  expect(pane("Output").getByText("Pinned")).toBeTruthy();
  expect(pane("Output").getByText("Changed since"), "what is pinned is older than the task").toBeTruthy();
  await user.click(pane("Output").getByRole("button", { name: "Unpin" }));
  expect(pane("Output").getByText("Changed since")).toBeTruthy();
});

test("a pin of an earlier task that has been changed since is marked where its results are used", async () => {
  const old = { results: [{ name: "body", value: "snow" }], stamp: "of another content" };
  sessionStorage.setItem("millrace-pins-owls/w", JSON.stringify({ fetch: old }));
  await openEditor();
  const value = await pane("Input").findByRole("button", { name: /^Insert \$\(tasks\.fetch\.results\.body\)/ });
  expect(within(value).getByLabelText("pinned, changed since")).toBeTruthy();
});

test("E goes to the first field; there it is a letter, and Escape closes the editor", async () => {
  let closed = 0;
  const { user } = await openEditor(<Opened name="send" onClose={() => closed++} />);
  screen.getByRole("button", { name: "Run this step" }).focus();
  await user.keyboard("e");
  await waitFor(() => expect(document.activeElement).toBe(url()));
  await user.keyboard("{End}e");
  expect(url().value).toBe("https://x/$(params.city)e");
  await user.keyboard("{Escape}");
  expect(closed).toBe(1);
});

test("a trial up to a task uses only pinned results, and a refusal shows the reason", async () => {
  refusal = { status: 400, body: { status: 400, reason: "VALIDATION_FAILED", message: "There is no task http." } };
  const { user } = await openEditor();
  await user.click(screen.getByRole("button", { name: "Run up to here" }));
  await pane("Output").findByText("There is no task http.");
  expect(asked.trials[0]).toMatchObject({ upTo: "send", pinned: {} });
});

test("the whole workflow is tried with parameters that are asked for; without changes that is the saved version", async () => {
  const { user } = await openEditor(<TrialDialog onClose={() => {}} />);
  const dialog = within(screen.getByRole("dialog", { name: "Trial of your unsaved draft" }));
  await user.clear(dialog.getByRole("textbox", { name: "city" }));
  await user.type(dialog.getByRole("textbox", { name: "city" }), "Rome");
  await user.click(dialog.getByRole("button", { name: "Run draft" }));
  await waitFor(() => expect(asked.trials).toHaveLength(1));
  expect(asked.trials[0]).toMatchObject({ version: 1, params: [{ name: "city", value: "Rome" }] });
  expect(asked.trials[0]).not.toHaveProperty("only");
  // Values of a run would stand in for what the dialog shows and nobody changed.
  expect(asked.trials[0]).not.toHaveProperty("fromRun");
});

test("values come from the newest run that has ended, and from none that waits", async () => {
  const run = (id: string, phase: string) => ({ id, status: "running", phase, creationDate: "2026-11-28T10:00:00Z" });
  const orders: (string | null)[] = [];
  service.byEnd.set("/workflowrun/query", (_, { searchParams }) => {
    orders.push(searchParams.get("order"));
    return { status: 200, body: { content: [run("run-9", "running"), run("run-8", "completed"), run("run-7", "completed")] } };
  });
  const { user } = await openEditor(<Opened name="send" />, null);
  await user.click(screen.getByRole("button", { name: "Run this step" }));
  await waitFor(() => expect(asked.trials.at(-1)).toMatchObject({ only: "send", fromRun: "run-8" }));
  expect(orders).toEqual(["DESC"]);
});
