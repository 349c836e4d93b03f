import { TextInput } from "@mantine/core";

/** By which people are known; browsers fill it in beside a password. */
export function EmailField({ value, onChange }: { value: string; onChange: (email: string) => void }) {
  return (
    <TextInput
      label="Email address"
      type="email"
      autoComplete="username"
      required
      withAsterisk={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
