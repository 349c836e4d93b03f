import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { callerQuery } from "../../api/queries/identity/session.ts";
import { type Overview, overviewQuery } from "../../api/queries/settings.ts";
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

const showHome = (permissions: string[]) =>
  showPage(<HomePage />, [
    [callerQuery.queryKey, { id: "token:1", userId: null, name: "robot", kind: "team", permissions, teams: [] }],
    [overviewQuery(false).queryKey, overview],
  ]);

test("a token that is in no team and may read all sees all, and may create a team", async () => {
  await showHome(["**/**"]);
  expect(screen.getByRole("link", { name: "elsewhere" }).getAttribute("href")).toBe("/elsewhere/workflows");
  expect(screen.getByRole("button", { name: "Create team" }).getAttribute("aria-description")).toBeNull();
});

test("a token without a user sees which permission is needed to create a team", async () => {
  await showHome([]);
  expect(screen.getByRole("button", { name: "Create team" }).getAttribute("aria-description")).toMatch(/needs the permission team\/write/);
});
