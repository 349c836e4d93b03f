import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { callerQuery } from "../../api/queries/identity/session.ts";
import { type Overview, overviewQuery } from "../../api/queries/settings.ts";
import { setupQuery } from "../../api/queries/setup.ts";
import { answerBy } from "../../ui/answer-requests.ts";
import { showPage } from "../../ui/show-component.tsx";
import { HomePage } from "./home-page.tsx";

afterEach(cleanup);

const team = {
  id: "1",
  name: "elsewhere",
  displayName: "elsewhere",
  status: "active",
  workflows: 1,
  members: 0,
  runningRuns: 0,
  openActions: 1,
};
const overview = {
  ...{ teams: [team], totalTeams: 1, actions: [], runs: [], waits: {}, failures: [], late: [], nextRuns: [], favourites: [] },
  ...{ setupOpen: false, health: { workers: 2, oldestSeconds: 0, queue: "healthy", database: "healthy" } },
} as unknown as Overview;

const showHome = (permissions: string[], more: Partial<Overview> = {}) =>
  showPage(<HomePage />, [
    [callerQuery.queryKey, { id: "token:1", userId: null, name: "robot", kind: "team", permissions, teams: [] }],
    [overviewQuery(false).queryKey, { ...overview, ...more }],
    [setupQuery.queryKey, { open: true, steps: [{ name: "invite", done: false }] }],
  ]);

test("a token that is in no team and may read all sees all, and may create a team", async () => {
  await showHome(["**/**"]);
  expect(screen.getByRole("link", { name: "elsewhere" }).getAttribute("href")).toBe("/elsewhere/workflows");
  expect(screen.getByRole("button", { name: "Create team" }).getAttribute("aria-description")).toBeNull();
});

test("the first steps stay while the page is open, although the third run has begun; those after the setup come when it is dismissed", async () => {
  const run = {
    teamName: "elsewhere",
    workflowName: "hello",
    status: "succeeded",
    phase: "completed",
    creationDate: "2026-03-01T12:00:00Z",
  };
  const runs = ["1", "2", "3"].map((id) => ({ ...run, id })) as Overview["runs"];
  const { become } = await showHome(["**/**"]);
  screen.getByRole("region", { name: "First steps" });
  await become(overviewQuery(false).queryKey, { ...overview, runs });
  expect(await screen.findAllByText("hello")).toHaveLength(3);
  screen.getByRole("region", { name: "First steps" });
  cleanup();
  const during = await showHome(["**/**"], { setupOpen: true });
  await screen.findByRole("region", { name: "Set up this instance" });
  await during.become(overviewQuery(false).queryKey, overview);
  screen.getByRole("region", { name: "Set up this instance" });
  expect(screen.queryByRole("region", { name: "First steps" })).toBeNull();
  answerBy({ "DELETE /setup": { open: false, steps: [] } });
  await during.user.click(screen.getByRole("button", { name: "Dismiss checklist" }));
  await screen.findByRole("region", { name: "First steps" });
  expect(screen.queryByRole("region", { name: "Set up this instance" })).toBeNull();
});

test("a token without a user sees which permission is needed to create a team", async () => {
  await showHome([]);
  expect(screen.getByRole("button", { name: "Create team" }).getAttribute("aria-description")).toMatch(/needs the permission team\/write/);
});
