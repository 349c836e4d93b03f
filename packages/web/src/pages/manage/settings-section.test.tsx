import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { callerQuery } from "../../api/queries/identity/session.ts";
import { answerBy, refusal, service } from "../../ui/answer-requests.ts";
import { faultOf, showPage } from "../../ui/show-component.tsx";
import type { Team } from "./quota-rows.ts";
import { SettingsSection } from "./settings-section.tsx";

afterEach(cleanup);

const inForce = { runs: 180, logs: 30, deliveries: 30 };

/** @param retention that the team has set */
function showSettings(permissions = ["**/**"], retention: object = {}) {
  const team = {
    ...{ id: "t1", name: "hawks", displayName: "Hawks", status: "active", labels: {}, parameters: [] as unknown[], memberCount: 1 },
    ...{ retention, retentionInForce: { ...inForce, ...retention } },
    quotas: { currentWorkflowCount: 0, currentConcurrentRuns: 0 },
  } as unknown;
  const teams = [{ id: "t1", name: "hawks", displayName: "Hawks", permissions }];
  return showPage(<SettingsSection team={team as Team} />, [
    [callerQuery.queryKey, { id: "user:1", userId: "1", kind: "session", permissions: [], teams }],
  ]);
}

const days = (kind: string) => screen.getByRole<HTMLInputElement>("textbox", { name: `${kind} (days)` });
const described = (name: string) => screen.getByRole("button", { name }).getAttribute("aria-description");
const whatLogsSay = () => document.getElementById(days("Logs").getAttribute("aria-describedby")?.split(" ")[0] ?? "")?.textContent;

test("an owner sets fewer days for the team; more than the instance has is refused in its words, and nothing else is sent", async () => {
  let isRefused = true;
  answerBy({
    "PATCH /team/hawks": () =>
      isRefused
        ? refusal(400, "1 member is wrong.", [{ path: "/retention/runs", message: "is 181, but the instance keeps them for 180" }])
        : { status: 200, body: { name: "hawks" } },
  });
  const { user } = await showSettings();
  expect(whatLogsSay()).toBe("Now kept for 30 days after their run ends");
  await user.type(days("Logs"), "7");
  await user.type(days("Runs"), "181");
  await user.click(screen.getByRole("button", { name: "Save retention" }));
  await waitFor(() => expect(faultOf(days("Runs"))).toContain("keeps them for 180"));
  isRefused = false;
  await user.clear(days("Runs"));
  await user.click(screen.getByRole("button", { name: "Save retention" }));
  await waitFor(() => expect(service.changes).toHaveLength(2));
  expect(service.changes.map(({ body }) => body)).toEqual([{ retention: { runs: 181, logs: 7 } }, { retention: { logs: 7 } }]);
});

test("a team that keeps it for fewer days says so, and an empty field restores the days of the instance", async () => {
  answerBy({ "PATCH /team/hawks": { name: "hawks" } });
  const { user } = await showSettings(["**/**"], { logs: 7 });
  expect(whatLogsSay()).toBe("Now kept for 7 days after their run ends");
  await user.clear(days("Logs"));
  await user.click(screen.getByRole("button", { name: "Save retention" }));
  await waitFor(() => expect(service.changes.map(({ body }) => body)).toEqual([{ retention: { logs: null } }]));
});

test("an editor sees why the days can't be changed, and a reader why the team can't be deleted", async () => {
  await showSettings(["**/read", "**/write"]);
  expect(described("Save retention")).toContain("team/delete");
  expect(described("Save settings")).toBe("No unsaved changes");
  cleanup();
  await showSettings(["**/read"]);
  expect(described("Delete team")).toContain("team/delete");
});
