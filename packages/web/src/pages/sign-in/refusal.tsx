import { Text } from "@mantine/core";

/** What the service has said to the last try, in its words. */
export function Refusal({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <Text role="alert" size="sm" c="var(--status-failed)">
      {text}
    </Text>
  );
}
