import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { User } from "../../../api/queries/identity/session.ts";
import { showPage } from "../../../ui/show-component.tsx";
import { EditUserDialog } from "./edit-user-dialog.tsx";

afterEach(cleanup);

const user: User = {
  ...{ id: "u1", email: "ada@example.com", type: "admin", status: "active", creationDate: "2026-03-02T08:15:00.000Z", labels: {} },
  settings: { isFirstVisit: false, isShowHelp: true, hasConsented: true },
};
const callerOf = (userId: string) =>
  [[["caller"], { kind: "session", id: `user:${userId}`, userId, name: "Ada", email: null, permissions: ["**/**"], teams: [] }]] as const;
const isDisabled = (label: string) => (screen.getByRole("combobox", { name: label }) as HTMLInputElement).disabled;

test("nobody changes their own type or status, which the dialog says", async () => {
  await showPage(<EditUserDialog user={user} onClose={() => {}} />, callerOf("u1"));
  expect(["Type", "Status"].map(isDisabled)).toEqual([true, true]);
  expect(screen.getAllByText("You can't change your own. Ask another administrator.")).toHaveLength(2);
  cleanup();
  await showPage(<EditUserDialog user={user} onClose={() => {}} />, callerOf("u2"));
  expect(["Type", "Status"].map(isDisabled)).toEqual([false, false]);
});
