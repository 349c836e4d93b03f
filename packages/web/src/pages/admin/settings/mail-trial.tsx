import { Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { messageOf } from "../../../api/api-error.ts";
import { api, call } from "../../../api/client.ts";
import { useApiMutation } from "../../../hooks/use-renew.ts";
import { t } from "../../../texts/settings/administration.ts";
import { ActionButton } from "../../../ui/dialog/action-button.tsx";

/** Sends one message with the saved settings and shows the response of the mail server. @param whyNot why no message can be sent now */
export function MailTrial({ whyNot }: { whyNot: string | undefined }) {
  const [to, setTo] = useState("");
  const { mutate, data, error, isPending } = useApiMutation({
    mutationFn: () => call(api.POST("/api/v2/settings/mail/test", { body: to.trim() === "" ? {} : { to: to.trim() } })),
    changes: ["audit"],
    onError: () => {},
  });
  const send = () => {
    if (whyNot === undefined && !isPending) mutate();
  };
  return (
    <Stack gap="xs" component="section" aria-label={t("mailTrial.title")}>
      <Title order={3}>{t("mailTrial.title")}</Title>
      <Group gap="xs" align="flex-end">
        <TextInput
          label={t("mailTrial.to")}
          description={t("mailTrial.toHelp")}
          type="text"
          inputMode="email"
          autoComplete="off"
          maxLength={320}
          flex="1 1 240px"
          maw={400}
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            send();
          }}
        />
        <ActionButton variant="default" whyNot={whyNot} loading={isPending} onClick={send}>
          {t("mailTrial.send")}
        </ActionButton>
      </Group>
      {!isPending && error !== null && <Outcome isGood={false} text={messageOf(error)} />}
      {!isPending && error === null && data && (
        <Outcome isGood={data.sent} text={t(data.sent ? "mailTrial.sent" : "mailTrial.refused", data)} />
      )}
    </Stack>
  );
}

function Outcome({ isGood, text }: { isGood: boolean; text: string }) {
  return (
    <Text
      role={isGood ? "status" : "alert"}
      size="sm"
      data-foreign
      style={{ overflowWrap: "anywhere" }}
      {...(!isGood && { c: "var(--status-failed)" })}
    >
      {text}
    </Text>
  );
}
