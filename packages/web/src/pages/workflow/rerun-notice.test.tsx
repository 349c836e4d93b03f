import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { type LoadedWorkflow, workflowDraftQuery } from "../../api/queries/workflow/workflow-draft.ts";
import { useDraft } from "../../editor/draft/draft-context.ts";
import { DraftNotices } from "../../editor/draft/draft-notices.tsx";
import { DraftProvider } from "../../editor/draft/draft-provider.tsx";
import { service } from "../../ui/answer-requests.ts";
import { showPage } from "../../ui/show-component.tsx";
import { RerunNotice } from "./rerun-notice.tsx";

afterEach(() => {
  cleanup();
  service.byEnd.clear();
});

const workflow = { name: "release", version: 1, params: [], tasks: [{ name: "ship", retries: 0 }] };
const loaded = { data: workflow, etag: "1" } as unknown as LoadedWorkflow;
const theirs = {
  ...workflow,
  version: 2,
  tasks: [{ name: "ship", retries: 5 }],
  changelog: { author: "Ada", date: "2026-03-01T12:00:00Z" },
};
const fixed = JSON.stringify([{ name: "ship", retries: 3 }]);

/** As the frame of a workflow: its draft, its notices, and the notice of the run that is to be rerun. */
function Frame() {
  const { data } = useQuery(workflowDraftQuery("shop", "release", 0));
  if (data === undefined) return null;
  return (
    <DraftProvider team="shop" workflow="release" loaded={data} whyNotEdit={undefined}>
      <DraftNotices />
      <RerunNotice />
      <Edit />
    </DraftProvider>
  );
}

function Edit() {
  const { history, change, isDirty } = useDraft();
  const { pathname } = useLocation();
  return (
    <>
      <button type="button" onClick={() => change((draft) => ({ ...draft, tasks: JSON.parse(fixed) }))}>
        Fix
      </button>
      <output aria-label="Draft">{JSON.stringify(history.present.tasks)}</output>
      <output aria-label="Place">{`${pathname} ${isDirty ? "not saved" : "saved"}`}</output>
    </>
  );
}

const shown = (label: string) => screen.getByRole("status", { name: label }).textContent;
const saveAndRerun = () => screen.getByRole("button", { name: "Save and rerun…" });
const designer = "/shop/workflows/release/design";

/** With a fix that is not saved yet. @param answers what the service says to each save, in their order */
async function showFix(...answers: [status: number, body: object][]) {
  const saves: unknown[] = [];
  service.byEnd.set("/validate", () => ({ status: 200, body: [] }));
  service.byEnd.set("/team/shop/task/query", () => ({ status: 200, body: { content: [] } }));
  service.byEnd.set("/team/shop/workflow", (sent) => {
    saves.push(sent);
    const [status, body] = answers[saves.length - 1] ?? [500, {}];
    return { status, body };
  });
  const known = [[workflowDraftQuery("shop", "release", 0).queryKey, loaded]] as const;
  const { user } = await showPage(<Frame />, known, `${designer}?rerun=run-1`);
  await user.click(screen.getByText("Fix"));
  await user.click(saveAndRerun());
  return { user, saves };
}

async function expectKept() {
  expect([shown("Draft"), shown("Place")]).toEqual([fixed, `${designer} not saved`]);
}

test("a fix that is saved leads to the rerun of the run", async () => {
  await showFix([200, { ...workflow, version: 2, tasks: JSON.parse(fixed) }]);
  await expect.poll(() => shown("Place")).toBe("/shop/activity/run-1 saved");
});

test("a fix that is invalid is kept and says why, and reruns once it is corrected", async () => {
  const { user, saves } = await showFix(
    [400, { status: 400, reason: "WORKFLOW_INVALID_GRAPH", message: "The graph of the workflow is invalid: a circle" }],
    [200, { ...workflow, version: 2, tasks: JSON.parse(fixed) }],
  );
  expect((await screen.findByRole("alert")).textContent).toContain("The graph of the workflow is invalid: a circle");
  await expectKept();
  await user.click(saveAndRerun());
  await expect.poll(() => shown("Place")).toBe("/shop/activity/run-1 saved");
  expect(saves).toHaveLength(2);
});

test("a fix that conflicts with another change is compared with it and kept, and no rerun starts", async () => {
  service.byEnd.set("/workflow/release", () => ({ status: 200, body: theirs }));
  const { user, saves } = await showFix([412, { status: 412, reason: "PRECONDITION_FAILED", message: "Saved meanwhile" }]);
  const dialog = await screen.findByRole("dialog", { name: /Someone else saved/ });
  expect(within(dialog).getByText("Ada")).toBeTruthy();
  await user.click(within(dialog).getByRole("button", { name: "Keep editing" }));
  await expectKept();
  expect(saves).toHaveLength(1);
});

test("a fix that needs an approval is submitted and kept, and the rerun waits for the approval", async () => {
  service.byEnd.set("/action/a1", () => ({ status: 200, body: { id: "a1", status: "submitted" } }));
  const refusal = { status: 409, reason: "WORKFLOW_PROTECTED", message: "Sent", errors: [{ path: "/action", message: "a1" }] };
  const { saves } = await showFix([409, refusal]);
  await expect.poll(() => saveAndRerun().getAttribute("aria-disabled")).toBe("true");
  expect(saveAndRerun().getAttribute("aria-description")).toMatch(/waits for approval/);
  await expectKept();
  expect(saves).toHaveLength(1);
});
