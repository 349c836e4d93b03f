import { Button, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { RunsFilter } from "../../api/queries/activity.ts";
import { CopyField } from "../../ui/copy-field.tsx";
import { toCurl } from "./activity-filter.ts";

/** The filter as a call of the API, for scripts. */
export function CurlButton({ team, filter }: { team: string; filter: RunsFilter }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        As a command
      </Button>
      <Modal opened={isOpen} onClose={close} title="The same by the API" size="lg" closeButtonProps={{ "aria-label": "Close" }}>
        <Stack gap="sm">
          <Text>
            Answers these runs as JSON, a hundred at a time. Put an access token into <code>TOKEN</code> first; one with the permission{" "}
            <code>workflowrun/read</code> is enough.
          </Text>
          {isOpen && <CopyField value={toCurl(window.location.origin, team, filter, Date.now())} label="the command" />}
        </Stack>
      </Modal>
    </>
  );
}
