import { Alert, Button, Group, Text } from "@mantine/core";
import { messageOf } from "../../api/api-error.ts";
import { t } from "../../texts/workflow/designer.ts";
import { useDraft } from "./draft-context.ts";
import { useSaving } from "./save-context.ts";

/** Notices above the views: why the draft is read-only, why a save failed, and that someone else has saved in the meantime. */
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
