import { Button, Group, Text } from "@mantine/core";
import { ApiError } from "@millrace/client/api-error.ts";
import { useState } from "react";
import { HowTo } from "../../components/how-to/how-to.tsx";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { ErrorState, LoadingState, QueryView } from "../../ui/state/not-loaded.tsx";
import { EmptyState } from "../../ui/state/notice.tsx";
import { ProblemList } from "../../ui/state/refusal-alert.tsx";
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

const retry = () => {};

export function StatesKit() {
  return (
    <>
      <Example name="EmptyState" isFramed>
        <EmptyState title="No schedules yet">
          <Text className="quiet">A schedule starts a workflow by the clock.</Text>
          <Button size="xs">Create a schedule</Button>
        </EmptyState>
      </Example>
      <Example name="LoadingState" isFramed>
        <LoadingState label="An example that loads" rows={3} />
      </Example>
      <Example name="ErrorState: no connection">
        <ErrorState error={new ApiError(0, "NO_ANSWER", "The service could not be reached.")} onRetry={retry} />
      </Example>
      <Example name="ErrorState: not there">
        <ErrorState error={new ApiError(404, "NOT_FOUND", "There is no team owls.")} />
      </Example>
      <Example name="ErrorState: no permission">
        <ErrorState error={new ApiError(403, "PERMISSION_DENIED", "This needs the permission system/read. Ask an administrator.")} />
      </Example>
      <Example name="ErrorState: of the service, with the number of the request">
        <ErrorState error={new ApiError(500, "INTERNAL", "Something went wrong.", "5f0c2a")} onRetry={retry} />
      </Example>
      <Example name="QueryView: what was asked for, or why it is not there" isFramed>
        {[
          { data: undefined, error: new Error("Two of three disks answered.") },
          { data: 3, error: null },
        ].map((query) => (
          <QueryView key={String(query.data)} query={query} label="Loading disks">
            {(count) => <Text>All {count} disks answered.</Text>}
          </QueryView>
        ))}
      </Example>
      <Example name="ProblemList: what would be refused of what stands above it">
        <ProblemList problems={["sql is not a CloudEvents SQL expression: at character 12: the expression ends", "any is empty"]} />
      </Example>
    </>
  );
}
