import { cleanup, screen, waitFor } from "@testing-library/react";
import type { ReactElement } from "react";
import { afterEach, expect, test } from "vitest";
import { faultOf, showPage } from "../../ui/show-component.tsx";
import { ActivateForm, insidePath, PasswordForm, ResetForm, TokenForm } from "./sign-in-forms.tsx";

afterEach(cleanup);

async function open(form: ReactElement) {
  const { user } = await showPage(form);
  return user;
}

const told = (name: string) => faultOf(screen.getByLabelText(name));
const press = (name: string | RegExp) => screen.getByRole("button", { name });

test("an empty form shows what is missing at each field, and the first one gets the focus", async () => {
  const user = await open(<ActivateForm />);
  await user.click(press("Activate and sign in"));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("One-time code")));
  expect(["One-time code", "Your name", "Email address", "Password"].map(told)).toEqual([
    "Enter the code.",
    "Enter your name.",
    "Enter your email address.",
    "Enter at least 8 characters.",
  ]);
});

test("the error of a field clears when the field changes, and stays at the others", async () => {
  const user = await open(<ResetForm onBack={() => {}} />);
  await user.click(press("Set password and sign in"));
  await user.type(screen.getByLabelText("Code"), "4711");
  expect(["Email address", "Code"].map(told)).toEqual(["Enter your email address.", undefined]);
});

test("an existing password is only required, without rules", async () => {
  const user = await open(<PasswordForm isMain onForgotten={() => {}} />);
  await user.type(screen.getByLabelText("Email address"), "ada{Enter}");
  await waitFor(() => expect(told("Password")).toBe("Enter your password."));
  expect(told("Email address")).toBe("Enter your email address.");
});

test("a blank token is refused", async () => {
  const user = await open(<TokenForm isMain />);
  await user.type(screen.getByLabelText("Access token"), "  {Enter}");
  await waitFor(() => expect(told("Access token")).toBe("Enter an access token."));
});

test.each([
  [undefined, "/home"],
  ["", "/home"],
  ["/owls/activity?status=failed#x", "/owls/activity?status=failed#x"],
  ["//evil.example.com/x", "/home"],
  ["/\\evil.example.com", "/home"],
  ["/\t/evil.example.com", "/home"],
  ["/..//evil.example.com", "/home"],
  ["/.//evil.example.com", "/home"],
  ["/%2e%2e//evil.example.com", "/home"],
  ["https://evil.example.com", "/home"],
  ["javascript:alert(1)", "/home"],
  ["owls", "/home"],
])("after signing in with returnTo %j the browser goes to %s", (wanted, path) => expect(insidePath(wanted)).toBe(path));
