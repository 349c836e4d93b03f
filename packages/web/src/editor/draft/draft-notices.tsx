import { Alert, Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { t } from "../../texts/workflow/designer.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
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

/** That the unsaved changes are those of an earlier visit, which secrets are missing in them, and a way to be rid of them. */
export function RestoredNotice() {
  const { restored, isDirty, history, change, setPendingText } = useDraft();
  const [isClosed, setClosed] = useState(false);
  if (restored === undefined || isClosed || !isDirty) return null;
  const { at, leftOut } = restored;
  const discard = () => {
    setPendingText(undefined);
    // A change like others, so that it can be undone.
    change(() => history.baseline);
  };
  return (
    <Alert
      color="blue"
      variant="light"
      mx="md"
      my={8}
      py={8}
      role="status"
      withCloseButton
      closeButtonLabel={t("draftNotices.close")}
      onClose={() => setClosed(true)}
    >
      <Group gap="sm">
        <Text size="sm" component="div">
          {t.rich("draftNotices.restored", { time: () => <TimeText at={at} /> })}
          {leftOut.length > 0 && <> {t("draftNotices.enterSecretsAgain", { secrets: leftOut.join(", ") })}</>}
        </Text>
        <Button size="compact-sm" variant="default" onClick={discard}>
          {t("draftNotices.discardRestored")}
        </Button>
      </Group>
    </Alert>
  );
}
