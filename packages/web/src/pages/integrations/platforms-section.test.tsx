import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { callerQuery } from "../../api/queries/identity/session.ts";
import { integrationsQuery } from "../../api/queries/integrations.ts";
import { answerBy, refusal, service } from "../../ui/answer-requests.ts";
import { showPage } from "../../ui/show-component.tsx";
import { PlatformsSection } from "./platforms-section.tsx";

afterEach(cleanup);

const codehost = { id: "codehost", name: "Code host", description: "Starts workflows.", status: "unlinked", isConfigured: false, link: "" };

function showPlatforms(permissions: string[], isConfigured: boolean) {
  const teams = [{ id: "t1", name: "hawks", displayName: "Hawks", permissions }];
  return showPage(<PlatformsSection team="hawks" />, [
    [callerQuery.queryKey, { id: "user:1", userId: "1", kind: "session", permissions: [], teams }],
    [integrationsQuery("hawks").queryKey, [{ ...codehost, isConfigured }]],
  ]);
}

test("a platform that is not set up says what an administrator sets", async () => {
  await showPlatforms(["**/**"], false);
  const platform = within(screen.getByRole("region", { name: "Code host" }));
  platform.getByText("codehost.appName");
  expect(platform.queryByRole("button", { name: "Link to this team" })).toBeNull();
});

test("an owner links the team, and sees why that was refused", async () => {
  answerBy({ "POST /codehost/link": () => refusal(403, "Only an owner of the installation may link it.") });
  const { user } = await showPlatforms(["**/**"], true);
  fireEvent.change(screen.getByRole("combobox", { name: "Installation number" }), { target: { value: "4711" } });
  await user.click(screen.getByRole("button", { name: "Link to this team" }));
  expect((await screen.findByRole("alert")).textContent).toBe("Only an owner of the installation may link it.");
  expect(service.changes).toEqual([{ method: "POST", path: "/integration/codehost/link", body: { ref: "4711", team: "hawks" } }]);
});

test("a reader sees why linking is not allowed", async () => {
  await showPlatforms(["**/read"], true);
  expect(screen.getByRole("button", { name: "Link to this team" }).getAttribute("aria-description")).toContain("integration/write");
});
