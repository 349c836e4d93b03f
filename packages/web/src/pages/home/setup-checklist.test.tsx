import type { Setup } from "@millrace/contract/settings/setup.ts";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { answerBy, service } from "../../ui/answer-requests.ts";
import { showPage } from "../../ui/show-component.tsx";
import { SetupChecklist } from "./setup-checklist.tsx";

afterEach(cleanup);

const steps = (...done: string[]): Setup["steps"] =>
  (["workflow", "executors", "mail", "signIn", "invite"] as const).map((name) => ({ name, done: done.includes(name) }));
const show = (setup: Setup, teams: string[] = []) => showPage(<SetupChecklist teams={teams} onClosed={() => {}} />, [[["setup"], setup]]);

test("each step leads to its place, and says whether it is done", async () => {
  await show({ open: true, steps: steps("executors", "mail") }, ["getting-started", "shop"]);
  screen.getByText("2 of 5 done");
  const places = screen.getAllByRole("link").map((link) => link.getAttribute("href"));
  expect(places).toEqual([
    "/shop/workflows/create",
    "/getting-started/workflows",
    "/admin/workers",
    "/admin/settings?group=mail",
    "/admin/settings?group=mail",
    "/docs/sign-in",
    "/shop/manage/members",
  ]);
  expect(screen.getAllByRole("img", { name: "Done" })).toHaveLength(2);
});

test("without a team the first step creates one", async () => {
  await show({ open: true, steps: steps() }, ["getting-started"]);
  expect(screen.getByRole("link", { name: "Create a workflow" }).getAttribute("href")).toBe("/home?create=true");
});

test("it stays until it is closed when its last step gets done while it is shown, so that nothing below it moves", async () => {
  const { become, user } = await show({ open: true, steps: steps("workflow", "executors", "mail", "signIn") });
  await become(["setup"], { open: true, steps: steps("workflow", "executors", "mail", "signIn", "invite") });
  await screen.findByText("5 of 5 done");
  await become(["setup"], { open: false, steps: steps("workflow", "executors", "mail", "signIn", "invite") });
  expect(service.changes).toEqual([]);
  answerBy({ "DELETE /setup": { open: false, steps: [] } });
  await user.click(screen.getByRole("button", { name: "Close checklist" }));
  await waitFor(() => expect(screen.queryByRole("region")).toBeNull());
});

test("it disappears once it is dismissed or complete", async () => {
  await show({ open: false, steps: steps() });
  expect(screen.queryByRole("region")).toBeNull();
  cleanup();
  await show({ open: true, steps: steps("workflow", "executors", "mail", "signIn", "invite") });
  expect(screen.queryByRole("region")).toBeNull();
});
