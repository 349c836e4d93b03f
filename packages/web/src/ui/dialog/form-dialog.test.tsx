import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { ApiError } from "@millrace/client/api-error.ts";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { show } from "../show-component.tsx";
import { FormDialog } from "./form-dialog.tsx";

afterEach(cleanup);

interface Values {
  name: string;
  owner: string;
}

interface TeamDialogProps {
  onSubmit?: (values: Values) => Promise<unknown>;
  onClose?: () => void;
  whyNot?: string;
}

function TeamDialog({ onSubmit = async () => {}, onClose = () => {}, whyNot }: TeamDialogProps) {
  const form = useForm<Values>({
    initialValues: { name: "", owner: "" },
    validate: { name: (name) => (name === "" ? "Enter a name." : null) },
  });
  return (
    <FormDialog
      title="Create team"
      form={form}
      action="Create team"
      whyNot={whyNot}
      places={{ "/members": "owner" }}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <TextInput label="Name" {...form.getInputProps("name")} />
      <TextInput label="Owner" {...form.getInputProps("owner")} />
    </FormDialog>
  );
}

const field = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });
const button = (name: string) => screen.getByRole("button", { name });
const refuse =
  (...errors: { path: string; message: string }[]) =>
  async () => {
    throw new ApiError(400, "VALIDATION_FAILED", "It was refused.", "r1", errors);
  };

test("Enter in a field sends what was entered, and the dialog closes when that is done", async () => {
  const onSubmit = vi.fn(async () => {});
  const onClose = vi.fn();
  const { user } = show(<TeamDialog onSubmit={onSubmit} onClose={onClose} />);
  await user.type(field("Name"), "hawks{Enter}");
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(onSubmit).toHaveBeenCalledExactlyOnceWith({ name: "hawks", owner: "" });
});

test("an error found by the form is shown at its field, which gets the focus, and nothing is sent", async () => {
  const onSubmit = vi.fn(async () => {});
  const { user } = show(<TeamDialog onSubmit={onSubmit} />);
  await user.click(button("Create team"));
  await waitFor(() => expect(document.activeElement).toBe(field("Name")));
  expect(field("Name").getAttribute("aria-invalid")).toBe("true");
  screen.getByText("Enter a name.");
  expect(onSubmit).not.toHaveBeenCalled();
});

test("an error of the service about a member is shown only at its field, even if the form names it differently", async () => {
  const { user } = show(<TeamDialog onSubmit={refuse({ path: "/members/0/email", message: "Not an address." })} />);
  await user.type(field("Name"), "hawks");
  await user.click(button("Create team"));
  await waitFor(() => expect(document.activeElement).toBe(field("Owner")));
  screen.getByText("Not an address.");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("an error without a field is shown above the buttons, and the input stays", async () => {
  const { user } = show(<TeamDialog onSubmit={refuse({ path: "/labels/a", message: "Not text." })} />);
  await user.type(field("Name"), "hawks{Enter}");
  expect((await screen.findByRole("alert")).textContent).toBe("It was refused.");
  expect(field("Name").value).toBe("hawks");
});

test("it is sent once, however often the button is pressed, and can't be closed by mistake in the meantime", async () => {
  let end = () => {};
  const onSubmit = vi.fn(() => new Promise<void>((resolve) => (end = resolve)));
  const onClose = vi.fn();
  const { user } = show(<TeamDialog onSubmit={onSubmit} onClose={onClose} />);
  await user.type(field("Name"), "hawks{Enter}{Enter}");
  await user.keyboard("{Escape}");
  expect(onClose).not.toHaveBeenCalled();
  end();
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(onSubmit).toHaveBeenCalledOnce();
});

test("Escape leaves it at once while nothing was entered", async () => {
  const onClose = vi.fn();
  const { user } = show(<TeamDialog onClose={onClose} />);
  await user.click(field("Name"));
  await user.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalledOnce();
});

test("Escape asks before the input is lost; the answer that keeps it has the focus", async () => {
  const onClose = vi.fn();
  const { user } = show(<TeamDialog onClose={onClose} />);
  await user.type(field("Name"), "hawks{Escape}");
  await waitFor(() => expect(document.activeElement).toBe(button("Keep editing")));
  expect(onClose).not.toHaveBeenCalled();
  await user.keyboard("{Enter}");
  expect(field("Name").value).toBe("hawks");
  await user.type(field("Name"), "{Escape}");
  await user.click(await screen.findByRole("button", { name: "Discard" }));
  expect(onClose).toHaveBeenCalledOnce();
});

test("Cancel closes it without asking", async () => {
  const onClose = vi.fn();
  const { user } = show(<TeamDialog onClose={onClose} />);
  await user.type(field("Name"), "hawks");
  await user.click(button("Cancel"));
  expect(onClose).toHaveBeenCalledOnce();
});

test("while sending is blocked, neither the button nor Enter sends it, and the button says why", async () => {
  const onSubmit = vi.fn(async () => {});
  const { user } = show(<TeamDialog onSubmit={onSubmit} whyNot="Ask an owner." />);
  await user.type(field("Name"), "hawks{Enter}");
  await user.click(button("Create team"));
  expect(onSubmit).not.toHaveBeenCalled();
  expect(button("Create team").getAttribute("aria-description")).toBe("Ask an owner.");
});
