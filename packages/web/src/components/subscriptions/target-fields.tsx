import { Button, Checkbox, Group, Stack, TagsInput, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { peopleChoices, type SubscriptionValues } from "./subscription-target.ts";

type SubscriptionForm = UseFormReturnType<SubscriptionValues>;

/** To whom, by channel. */
export function TargetFields({ team, form }: { team: string | undefined; form: SubscriptionForm }) {
  if (form.values.channel === "webhook")
    return (
      <TextInput
        label="URL"
        description="Receives each event as a signed POST. Only public internet addresses, unless an administrator allows others"
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
      <TagsInput
        label="Addresses"
        description="Separate addresses with commas"
        splitChars={[",", ";", " "]}
        {...form.getInputProps("target.to")}
      />
      <Checkbox.Group label="People" description="Looked up when the email is sent" {...form.getInputProps("target.people")}>
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
        label="Workspace"
        description={team === undefined ? "The platform's workspace ID" : "The platform's ID of a workspace linked to the team"}
        placeholder="T0HAWKS"
        required
        {...form.getInputProps("target.workspace")}
      />
      <TextInput
        label="Channel"
        description="The platform's ID of a channel that the app was invited to"
        placeholder="C0RELEASES"
        {...form.getInputProps("target.channel")}
      />
      <TagsInput
        label="Or people in the workspace"
        description="By email address, up to ten"
        splitChars={[",", ";", " "]}
        disabled={form.values.target.channel.trim() !== ""}
        {...form.getInputProps("target.emails")}
      />
    </Stack>
  );
}

/** Another address takes a secret: the stored one was agreed with another receiver, and is not sent to a new one. */
export function MovedSecret({ form }: { form: SubscriptionForm }) {
  return (
    <TextInput
      label="Signing secret"
      description="The address has changed, so enter the secret again or a new one. Only this secret signs from now on."
      placeholder="whsec_…"
      required
      maxLength={200}
      autoComplete="off"
      spellCheck={false}
      rightSectionWidth={96}
      rightSection={
        <Button size="compact-xs" variant="subtle" onClick={() => form.setFieldValue("secret", newSecret())}>
          Generate
        </Button>
      }
      {...form.getInputProps("secret")}
    />
  );
}

function newSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;
}
