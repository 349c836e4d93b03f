import { ApiError } from "@millrace/client/api-error.ts";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { showPage } from "../../ui/show-component.tsx";
import { LinkForm } from "./platform.tsx";

afterEach(cleanup);

async function openForm(link: (ref: string) => Promise<unknown>) {
  const { user } = await showPage(
    <LinkForm label="Workspace" description="Its ID" missing="Enter the ID." whyNot={undefined} link={link} />,
  );
  return { user, field: screen.getByRole<HTMLInputElement>("combobox", { name: "Workspace" }) };
}

test("a platform is linked with the ID that was entered, without spaces around it", async () => {
  const link = vi.fn(async () => {});
  const { user, field } = await openForm(link);
  await user.type(field, " T0HAWKS {Enter}");
  await waitFor(() => expect(link).toHaveBeenCalledExactlyOnceWith("T0HAWKS"));
});

test("an empty id is an error at the field, which clears when something is entered", async () => {
  const link = vi.fn(async () => {});
  const { user, field } = await openForm(link);
  await user.type(field, "  {Enter}");
  await screen.findByText("Enter the ID.");
  expect(document.activeElement).toBe(field);
  await user.type(field, "T");
  expect(screen.queryByText("Enter the ID.")).toBeNull();
  expect(link).not.toHaveBeenCalled();
});

test("errors of the service about the ID are shown at the field, other errors above the button", async () => {
  const refusals = [
    new ApiError(400, "VALIDATION_FAILED", "1 member is wrong.", "r1", [{ path: "/ref", message: "No number." }]),
    new ApiError(403, "FORBIDDEN", "Only an administrator of the workspace may."),
  ];
  const { user, field } = await openForm(async () => {
    throw refusals.shift();
  });
  await user.type(field, "x{Enter}");
  await screen.findByText("No number.");
  expect(screen.queryByRole("alert")).toBeNull();
  await user.type(field, "y{Enter}");
  expect((await screen.findByRole("alert")).textContent).toBe("Only an administrator of the workspace may.");
});
