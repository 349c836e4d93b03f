import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { callerQuery } from "../../api/queries/identity/session.ts";
import { answerBy } from "../../ui/answer-requests.ts";
import { showPage } from "../../ui/show-component.tsx";
import { AdminPage } from "./admin-page.tsx";
import { UsersSection } from "./users/users-section.tsx";

afterEach(cleanup);

const found = { id: "u9", email: "auditor@example.com", type: "auditor", status: "active", creationDate: "2026-03-02T08:15:00.000Z" };

/** @returns the questions for users, as the service got them */
async function showUsers(permissions: string[], search = "", section = <UsersSection />) {
  const asked: string[] = [];
  answerBy({
    "/user/query": (_, address) => {
      asked.push(address.search);
      return { status: 200, body: { content: [found], totalElements: 1 } };
    },
  });
  const shown = await showPage(
    section,
    [[callerQuery.queryKey, { id: "user:1", userId: "1", kind: "session", permissions, teams: [] }]],
    `/admin/users${search}`,
    "/admin/$section",
  );
  return { ...shown, asked };
}

test("users who are not administrators see which permission a section needs, and nothing is asked for", async () => {
  const { asked } = await showUsers([], "", <AdminPage />);
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Ask an administrator");
  expect(alert.textContent).toContain("user/read");
  expect(asked).toEqual([]);
});

test("the address says which users are looked for", async () => {
  const { asked } = await showUsers(["**/**"], "?type=operator&find=ada");
  await screen.findAllByRole("cell", { name: "auditor@example.com" });
  expect(asked).toEqual([expect.stringMatching(/types=operator/)]);
  expect(asked[0]).toContain("search=ada");
  expect(screen.getByRole<HTMLInputElement>("combobox", { name: "Type" }).value).toBe("Operator");
});

test("an operator may not make a password code, and the menu says why", async () => {
  const { user } = await showUsers(["user/read", "user/write"]);
  await user.click(await screen.findByRole("button", { name: "More actions for auditor@example.com" }));
  const menu = within(await screen.findByRole("menu"));
  const action = menu.getByRole("menuitem", { name: /Create password code/ });
  expect([action.getAttribute("aria-disabled"), action.textContent]).toEqual(["true", expect.stringContaining("administrator")]);
});
