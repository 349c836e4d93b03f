import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { callerQuery } from "../../api/queries/identity/session.ts";
import type { Schedule } from "../../api/queries/schedules.ts";
import { answerBy, refusal, service } from "../../ui/answer-requests.ts";
import { faultOf, showPage } from "../../ui/show-component.tsx";
import { SchedulesPage } from "./schedules-page.tsx";

afterEach(cleanup);

const schedule = {
  ...{ id: "s1", name: "New year", type: "runOnce", status: "inactive", dateSchedule: "2090-01-01T00:00", timezone: "Europe/Berlin" },
  ...{ workflowRef: "w1", workflowName: "cleanup", workflowDisplayName: "Clean up", labels: {}, params: [], exclusions: [] },
  ...{ overlapPolicy: "queue", catchUpPolicy: "one", jitter: 0, creationDate: "2026-01-01T00:00:00Z" },
} as unknown as Schedule;

const reader = ["**/read"];
const editor = ["**/read", "**/write", "**/action"];

/** @returns the lists that were asked for  @param search of the address */
async function showSchedules(permissions: string[], search = "", schedules: Schedule[] = [schedule]) {
  const asked: URLSearchParams[] = [];
  const stored = [...schedules];
  answerBy({
    "/schedule/query": (_, { searchParams }) => {
      asked.push(searchParams);
      return { status: 200, body: { content: stored, totalElements: stored.length, totalPages: 1 } };
    },
    "/workflow/query": { content: [{ name: "cleanup", displayName: "Clean up" }] },
    "GET /workflow/cleanup": { name: "cleanup", params: [], triggers: { schedule: { enabled: true } } },
    "GET /schedule/s1": schedule,
    "/firings": { content: [], totalElements: 0, totalPages: 0 },
    "/validate-cron": { valid: true, next: [] },
    "DELETE /schedule/s1": () => {
      stored.length = 0;
      return { status: 200, body: {} };
    },
  });
  const teams = [{ id: "t1", name: "hawks", displayName: "Hawks", permissions }];
  const shown = await showPage(
    <SchedulesPage />,
    [[callerQuery.queryKey, { id: "user:1", userId: "1", kind: "session", permissions: [], teams }]],
    `/hawks/schedules${search}`,
    "/$team/schedules",
  );
  return { ...shown, asked };
}

const openMenu = async (user: { click(element: Element): Promise<void> }) => {
  await user.click(await screen.findByRole("button", { name: "More actions for New year" }));
  return within(await screen.findByRole("menu")).findByRole("menuitem", { name: /^Delete/ });
};

test("errors of the service are shown at their fields", async () => {
  answerBy({ "PUT /schedule": () => refusal(400, "1 member is wrong.", [{ path: "/dateSchedule", message: "is in the past" }]) });
  const { user } = await showSchedules(editor, "?edit=new&workflow=cleanup");
  const form = within(await screen.findByRole("dialog", { name: "Create schedule" }));
  await user.click(form.getByText("One time"));
  const date = form.getByLabelText<HTMLInputElement>(/Date and time/);
  fireEvent.change(date, { target: { value: "2020-01-01T08:00" } });
  fireEvent.change(form.getByLabelText(/^Name/), { target: { value: "Too late" } });
  await user.click(form.getByRole("button", { name: "Create schedule" }));
  await waitFor(() => expect(faultOf(date)).toBe("is in the past"));
  expect(service.changes.map(({ body }) => body)).toMatchObject([{ name: "Too late", workflowRef: "cleanup", type: "runOnce" }]);
});

test("a reader sees why changes are not allowed", async () => {
  await showSchedules(reader, "?schedule=s1");
  const panel = within(await screen.findByRole("dialog", { name: "New year" }));
  for (const name of ["Edit", "Resume", "Run now", "Backfill"])
    expect([name, (await panel.findByRole("button", { name })).getAttribute("aria-description")]).toEqual([
      name,
      expect.stringContaining("This needs the permission schedule/"),
    ]);
  const create = screen.getByRole("button", { name: "Create schedule", hidden: true });
  expect(create.getAttribute("aria-description")).toContain("schedule/write");
});

test("only what the address asks for is listed; an editor sees why deleting is not allowed", async () => {
  const { user, asked } = await showSchedules(editor, "?types=%5B%22runOnce%22%5D");
  expect((await openMenu(user)).getAttribute("aria-description")).toContain("schedule/delete");
  expect(asked.map((one) => one.get("types"))).toEqual(["runOnce"]);
});

test("an owner deletes a schedule after a confirmation", async () => {
  const { user } = await showSchedules(["**/**"], "?types=%5B%22runOnce%22%5D");
  await user.click(await openMenu(user));
  const dialog = within(await screen.findByRole("dialog"));
  expect(service.changes).toEqual([]);
  await user.click(dialog.getByRole("button", { name: "Delete schedule" }));
  await screen.findByRole("heading", { name: "No matching schedules" });
  expect(service.changes.map(({ method, path }) => `${method} ${path}`)).toEqual(["DELETE /team/hawks/schedule/s1"]);
});

test("a team without schedules sees what they are, and how to create one", async () => {
  const { user, address } = await showSchedules(editor, "", []);
  screen.getByRole("heading", { name: "No schedules yet" });
  await user.click(screen.getByRole("button", { name: "Create your first schedule" }));
  expect(address()).toContain("edit=new");
});
