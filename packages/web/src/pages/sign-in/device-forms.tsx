import { Alert, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { components } from "@millrace/client/schema.generated.ts";
import { IconAlertTriangle } from "@tabler/icons-react";
import { api, call } from "../../api/client.ts";
import { useApiMutation } from "../../hooks/use-renew.ts";
import { t } from "../../texts/identity/sign-in.ts";
import { ActionForm } from "../../ui/form/action-form.tsx";
import { RefusalText } from "../../ui/state/refusal-alert.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./sign-in.module.css";

/** A program waiting for approval, with the code that was typed for it. */
export interface Asking {
  userCode: string;
  device: components["schemas"]["PendingDevice"];
}

/** Finds the program that shows this code. */
export function DeviceCodeForm({ onFound }: { onFound: (asking: Asking) => void }) {
  const form = useForm({
    initialValues: { userCode: "" },
    validate: { userCode: (code) => (code.trim() === "" ? t("deviceCodeForm.codeMissing") : null) },
  });
  const find = async (typed: string) => {
    const userCode = typed.trim();
    onFound({ userCode, device: await call(api.GET("/api/v2/auth/device/{userCode}", { params: { path: { userCode } } })) });
  };
  return (
    <ActionForm form={form} action={t("deviceCodeForm.continue")} isWide onSubmit={({ userCode }) => find(userCode)}>
      <TextInput
        label={t("deviceCodeForm.code")}
        description={t("deviceCodeForm.codeHelp")}
        autoComplete="off"
        autoFocus
        spellCheck={false}
        maxLength={20}
        classNames={{ input: classes.code ?? "" }}
        {...form.getInputProps("userCode")}
      />
    </ActionForm>
  );
}

interface DeviceDecisionProps {
  asking: Asking;
  onDecided: (decision: "approve" | "refuse") => void;
}

/** Shows which program requests access, and warns of requests made in someone else's name. */
export function DeviceDecision({ asking: { userCode, device }, onDecided }: DeviceDecisionProps) {
  const decide = useApiMutation({
    changes: ["tokens"],
    leadsAway: true,
    mutationFn: (decision: "approve" | "refuse") => call(api.POST("/api/v2/auth/device/decision", { body: { userCode, decision } })),
    onSuccess: (_, decision) => onDecided(decision),
  });
  const facts: readonly [string, React.ReactNode][] = [
    [t("deviceDecision.host"), device.hostName],
    [t("deviceDecision.address"), device.address],
    [t("deviceDecision.program"), device.userAgent ?? t("deviceDecision.unknownProgram")],
    [t("deviceDecision.started"), <TimeText key="started" at={device.creationDate} />],
    [t("deviceDecision.code"), <code key="code">{userCode.toUpperCase()}</code>],
  ];
  return (
    <Stack gap="md">
      <Alert color="yellow" variant="outline" title={t("deviceDecision.warningTitle")} icon={<IconAlertTriangle size={18} />}>
        {t.rich("deviceDecision.warning", { code: (words) => <code>{words}</code> })}
      </Alert>
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="quiet">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Text size="sm" className="quiet">
        {t("deviceDecision.access")}
      </Text>
      <RefusalText error={decide.error} />
      <Group gap="xs" grow>
        <Button variant="default" disabled={decide.isPending} onClick={() => decide.mutate("refuse")}>
          {t("deviceDecision.refuse")}
        </Button>
        <Button loading={decide.isPending} onClick={() => decide.mutate("approve")}>
          {t("deviceDecision.approve")}
        </Button>
      </Group>
    </Stack>
  );
}
