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
        Show cURL command
      </Button>
      <Modal opened={isOpen} onClose={close} title="The same list by the API" size="lg" closeButtonProps={{ "aria-label": "Close" }}>
        <Stack gap="sm">
          <Text>
            Returns these runs as JSON, a hundred at a time. Replace <code>TOKEN</code> with an access token that has the permission{" "}
            <code>workflowrun/read</code> first.
          </Text>
          {isOpen && <CopyField value={toCurl(window.location.origin, team, filter, Date.now())} label="the command" />}
        </Stack>
      </Modal>
    </>
  );
}
