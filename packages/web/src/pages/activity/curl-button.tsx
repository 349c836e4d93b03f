import { Button, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { RunsFilter } from "../../api/queries/activity.ts";
import { t } from "../../texts/activity.ts";
import { CopyField } from "../../ui/copy-field.tsx";
import { toCurl } from "./activity-filter.ts";

/** The filter as a call of the API, for scripts. */
export function CurlButton({ team, filter }: { team: string; filter: RunsFilter }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {t("curlButton.showCurlCommand")}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t("curlButton.sameListApi")}
        size="lg"
        closeButtonProps={{ "aria-label": t("curlButton.close") }}
      >
        <Stack gap="sm">
          <Text>
            {t.rich("curlButton.returnsTheseRunsJson", { code: () => <code>TOKEN</code>, code2: () => <code>workflowrun/read</code> })}
          </Text>
          {isOpen && <CopyField value={toCurl(window.location.origin, team, filter, Date.now())} label={t("curlButton.command")} />}
        </Stack>
      </Modal>
    </>
  );
}
