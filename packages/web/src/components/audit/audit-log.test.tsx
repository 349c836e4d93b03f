import { cleanup, screen } from "@testing-library/react";
import { afterEach, test } from "vitest";
import { callerQuery } from "../../api/queries/identity/session.ts";
import { showPage } from "../../ui/show-component.tsx";
import { AuditLog } from "./audit-log.tsx";

afterEach(cleanup);

test.each([
  ["hawks", "team/write"],
  [undefined, "system/read"],
])("a reader of the team %s sees that its audit log is not for readers, and the permission for it", async (team, permission) => {
  const teams = [{ id: "t1", name: "hawks", displayName: "Hawks", permissions: ["**/read"] }];
  await showPage(<AuditLog {...(team !== undefined && { team })} />, [
    [callerQuery.queryKey, { id: "user:1", userId: "1", kind: "session", permissions: [], teams }],
  ]);
  screen.getByText("You don't have access to the audit log");
  screen.getByText(new RegExp(permission));
});
