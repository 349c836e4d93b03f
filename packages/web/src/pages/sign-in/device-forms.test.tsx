import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { faultOf, showPage } from "../../ui/show-component.tsx";
import { DeviceCodeForm, DeviceDecision } from "./device-forms.tsx";
import { DevicePage } from "./device-page.tsx";

afterEach(cleanup);

const device = {
  hostName: "laptop <b>",
  userAgent: "millrace-cli",
  address: "192.0.2.17",
  creationDate: "2026-03-02T08:15:00.000Z",
  expirationDate: "2026-03-02T08:25:00.000Z",
};

test("who asks, from where and when is shown as text, below a warning", async () => {
  await showPage(<DeviceDecision asking={{ userCode: "wdjb-mjht", device }} onDecided={() => {}} />);
  for (const shown of ["laptop <b>", "192.0.2.17", "millrace-cli", "WDJB-MJHT"]) screen.getByText(shown);
  expect(screen.getByRole("alert").textContent).toMatch(/Approve only if you have just run millrace login yourself/);
  expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["Refuse", "Approve sign-in"]);
});

test("without a code nothing is asked for", async () => {
  const { user } = await showPage(<DeviceCodeForm onFound={() => expect.unreachable()} />);
  await user.click(screen.getByRole("button", { name: "Continue" }));
  await waitFor(() => expect(faultOf(screen.getByLabelText("Code"))).toBe("Enter the code."));
});

test("a caller with a token is asked to sign in as a user", async () => {
  const caller = { kind: "global", id: "token:1", name: "admin token", email: null, userId: null, expirationDate: null };
  await showPage(<DevicePage />, [[["caller"], { ...caller, permissions: ["**/**"], teams: [] }]]);
  expect(screen.getByRole("link", { name: "Sign in as a user" }).getAttribute("href")).toBe("/sign-in?returnTo=%2Fsign-in%2Fdevice");
  expect(screen.queryByLabelText("Code")).toBeNull();
});
