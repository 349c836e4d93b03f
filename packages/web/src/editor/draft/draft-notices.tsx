import { Alert, Button, Group, Text } from "@mantine/core";
import { messageOf } from "../../api/api-error.ts";
import { t } from "../../texts/workflow/designer.ts";
import { useDraft } from "./draft-context.ts";
import { useSaving } from "./save-context.ts";

/** Above the views: why a save was refused, and that somebody else has saved meanwhile. */
export function DraftNotices() {
  const { whyNotEdit, isDirty } = useDraft();
  const { error, forgetError, newer, compare } = useSaving();
  return (
    <>
      {whyNotEdit !== undefined && (
        <Alert color="gray" variant="light" mx="md" my={8} py={8}>
          <Text size="sm">{t("draftNotices.haveReadOnlyAccess", { whyNotEdit })}</Text>
        </Alert>
      )}
      {error !== null && error !== undefined && (
        <Alert
          color="red"
          variant="outline"
          mx="md"
          mb="xs"
          py={8}
          role="alert"
          withCloseButton
          closeButtonLabel={t("draftNotices.close")}
          onClose={forgetError}
        >
          <Text size="sm">{t("draftNotices.notSaved", { message: messageOf(error) })}</Text>
        </Alert>
      )}
      {newer && isDirty && (
        <Alert color="yellow" variant="outline" mx="md" my={8} py={8} role="status">
          <Group gap="sm">
            <Text size="sm">
              {t.rich("draftNotices.savedVersionWhileWere", {
                author: newer.data.changelog?.author ?? "",
                version: () => newer.data.version,
              })}
            </Text>
            <Button size="compact-sm" variant="default" onClick={() => compare(true)}>
              {t("draftNotices.compare")}
            </Button>
          </Group>
        </Alert>
      )}
    </>
  );
}
