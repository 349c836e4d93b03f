import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { service } from "../../ui/answer-requests.ts";
import { showWorkflow } from "./show-workflow.tsx";
import { VersionsPage } from "./versions-page.tsx";

afterEach(() => {
  cleanup();
  service.byEnd.clear();
});

test("a reader compares versions, and sees why restoring is not allowed", async () => {
  const version = (number: number) => ({ version: number, author: "Ada", date: "2026-03-01T12:00:00Z" });
  service.byEnd.set("/changelog", () => ({ status: 200, body: [version(1), version(2)] }));
  service.byEnd.set("/workflow/report", (_, { searchParams }) => {
    const number = Number(searchParams.get("version") ?? 2);
    return { status: 200, body: { name: "report", version: number, params: [], tasks: [], ...(number === 2 && { timeout: 9 }) } };
  });
  const reader = { permissions: ["workflow/read"], pages: { versions: VersionsPage } };
  await showWorkflow("versions?before=1&after=2", {}, reader);
  within(await screen.findByRole("list", { name: "Differences" })).getByText("timeout");
  expect(screen.getByRole("button", { name: "Restore version 1" }).getAttribute("aria-description")).toContain("workflow/write");
});
