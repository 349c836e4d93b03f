import { Button, Checkbox, Group, Stack, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { t } from "../../texts/integrations.ts";
import { AddressesInput } from "../../ui/form/addresses-input.tsx";
import { peopleChoices, type SubscriptionValues } from "./subscription-target.ts";

type SubscriptionForm = UseFormReturnType<SubscriptionValues>;

/** The fields of the target for each channel. */
export function TargetFields({ team, form }: { team: string | undefined; form: SubscriptionForm }) {
  if (form.values.channel === "webhook")
    return (
      <TextInput
        label={t("targetFields.url")}
        description={t("targetFields.urlHelp")}
        placeholder="https://example.com/hooks/millrace"
        type="url"
        required
        maxLength={2000}
        {...form.getInputProps("target.url")}
      />
    );
  return form.values.channel === "email" ? <EmailFields form={form} /> : <ChatFields team={team} form={form} />;
}

function EmailFields({ form }: { form: SubscriptionForm }) {
  return (
    <Stack gap="sm">
      <AddressesInput
        label={t("targetFields.addresses")}
        description={t("targetFields.addressesHelp")}
        {...form.getInputProps("target.to")}
      />
      <Checkbox.Group label={t("targetFields.people")} description={t("targetFields.peopleHelp")} {...form.getInputProps("target.people")}>
        <Group gap="sm" mt={4}>
          {peopleChoices.map(([value, label]) => (
            <Checkbox key={value} size="xs" value={value} label={label} />
          ))}
        </Group>
      </Checkbox.Group>
    </Stack>
  );
}

function ChatFields({ team, form }: { team: string | undefined; form: SubscriptionForm }) {
  return (
    <Stack gap="sm">
      <TextInput
        label={t("targetFields.workspace")}
        description={team === undefined ? t("targetFields.workspaceHelp") : t("targetFields.workspaceHelpPlatformsIdWorkspaceLinked")}
        placeholder={t("targetFields.workspacePlaceholder")}
        required
        {...form.getInputProps("target.workspace")}
      />
      <TextInput
        label={t("targetFields.channel")}
        description={t("targetFields.channelHelp")}
        placeholder={t("targetFields.channelPlaceholder")}
        {...form.getInputProps("target.channel")}
      />
      <AddressesInput
        label={t("targetFields.peopleWorkspace")}
        description={t("targetFields.peopleWorkspaceHelp")}
        disabled={form.values.target.channel.trim() !== ""}
        {...form.getInputProps("target.emails")}
      />
    </Stack>
  );
}

/** A new URL requires a new secret: the stored one was agreed with another receiver, and must not be sent to the new one. */
export function MovedSecret({ form }: { form: SubscriptionForm }) {
  return (
    <TextInput
      label={t("targetFields.signingSecret")}
      description={t("targetFields.signingSecretHelp")}
      placeholder={t("targetFields.signingSecretPlaceholder")}
      required
      maxLength={200}
      autoComplete="off"
      spellCheck={false}
      rightSectionWidth={96}
      rightSection={
        <Button size="compact-xs" variant="subtle" onClick={() => form.setFieldValue("secret", newSecret())}>
          {t("targetFields.generate")}
        </Button>
      }
      {...form.getInputProps("secret")}
    />
  );
}

function newSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;
}
