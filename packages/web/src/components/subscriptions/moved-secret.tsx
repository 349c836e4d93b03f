import { Button, TextInput } from "@mantine/core";

interface MovedSecretProps {
  secret: string;
  onChange: (secret: string) => void;
}

/** Another address takes a secret: the stored one was agreed with another receiver, and is not sent to a new one. */
export function MovedSecret({ secret, onChange }: MovedSecretProps) {
  return (
    <TextInput
      label="Signing secret"
      description="The address has changed, so enter the secret again or a new one. Only this secret signs from now on."
      placeholder="whsec_…"
      required
      maxLength={200}
      autoComplete="off"
      spellCheck={false}
      value={secret}
      onChange={(event) => onChange(event.currentTarget.value)}
      rightSectionWidth={96}
      rightSection={
        <Button size="compact-xs" variant="subtle" onClick={() => onChange(newSecret())}>
          Generate
        </Button>
      }
    />
  );
}

function newSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;
}
