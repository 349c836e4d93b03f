import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { service } from "../../../ui/answer-requests.ts";
import { showPage } from "../../../ui/show-component.tsx";
import { MailTrial } from "./mail-trial.tsx";

afterEach(() => {
  cleanup();
  service.sent.length = 0;
});

const button = () => screen.getByRole("button", { name: "Send test message" });
const said = { to: "kim@example.com", server: "mail.example.com:587" };

test("the mail server's words are shown, whether it took the message or not", async () => {
  const { user } = await showPage(<MailTrial whyNot={undefined} />);
  service.answers.push({ status: 200, body: { ...said, sent: true, answer: "250 Ok: queued" } });
  await user.type(screen.getByRole("textbox", { name: "Recipient" }), "kim@example.com{Enter}");
  expect((await screen.findByRole("status")).textContent).toBe(
    "mail.example.com:587 accepted the message to kim@example.com: 250 Ok: queued",
  );
  service.answers.push({ status: 200, body: { ...said, sent: false, answer: "550 No such mailbox" } });
  await user.click(button());
  expect((await screen.findByRole("alert")).textContent).toContain("550 No such mailbox");
  service.answers.push({ status: 409, body: { status: 409, message: "No mail server is configured" } });
  await user.click(button());
  expect((await screen.findByText("No mail server is configured")).getAttribute("role")).toBe("alert");
  expect(service.sent).toEqual(Array(3).fill({ to: "kim@example.com" }));
});

test("nothing is sent with settings that are not saved", async () => {
  const { user } = await showPage(<MailTrial whyNot="Save your changes first." />);
  await user.click(button());
  await user.type(screen.getByRole("textbox", { name: "Recipient" }), "{Enter}");
  expect(service.sent).toEqual([]);
});
