import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { HowTo } from "../../components/how-to/how-to.tsx";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { Example } from "./example.tsx";

type Open = "plain" | "typed" | "refused" | undefined;

export function ButtonsKit() {
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const refuse = async () => {
    throw new ApiError(409, "CONFLICT", "The workflow is running; cancel its runs first.");
  };
  return (
    <>
      <Example name="Button: main, other, subtle, dangerous, busy">
        <Group gap="xs">
          <Button>Save</Button>
          <Button variant="default">Cancel</Button>
          <Button variant="subtle">Show more</Button>
          <Button color="red.8">Delete</Button>
          <Button loading>Busy</Button>
        </Group>
      </Example>
      <Example name="ActionButton: can be pressed, and says why it can’t">
        <Group gap="xs">
          <ActionButton>Run</ActionButton>
          <ActionButton whyNot="This needs the permission workflow/action in the team hawks. Ask an owner.">Run, but not you</ActionButton>
        </Group>
      </Example>
      <Example name="ConfirmDialog: plain, with a word to type, refused by the service">
        <Group gap="xs">
          <Button variant="default" onClick={() => setOpen("plain")}>
            Ask
          </Button>
          <Button variant="default" onClick={() => setOpen("typed")}>
            Ask for a word
          </Button>
          <Button variant="default" onClick={() => setOpen("refused")}>
            Ask and be refused
          </Button>
        </Group>
      </Example>
      <Example name="HowTo">
        <HowTo
          title="Workflows by the API"
          commands={[{ label: "List them", command: 'curl -sS "$MILLRACE/api/v2/team/hawks/workflow/query"' }]}
        />
      </Example>
      <ConfirmDialog isOpen={open === "plain"} onClose={close} title="Archive 3 workflows" action="Archive" onConfirm={async () => {}}>
        They can be brought back.
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={open === "typed"}
        onClose={close}
        title="Delete team"
        action="Delete team"
        isDangerous
        typeToConfirm="hawks"
        onConfirm={async () => {}}
      >
        Everything of it goes for good.
      </ConfirmDialog>
      <ConfirmDialog isOpen={open === "refused"} onClose={close} title="Delete workflow" action="Delete" isDangerous onConfirm={refuse}>
        What the service refuses is said here.
      </ConfirmDialog>
    </>
  );
}
