import { Text } from "@mantine/core";

/** What was refused of a form and no field shows, above its buttons. */
export function FormRefusal({ message }: { message: string | undefined }) {
  if (message === undefined) return null;
  return (
    <Text role="alert" size="sm" c="var(--status-failed)">
      {message}
    </Text>
  );
}
