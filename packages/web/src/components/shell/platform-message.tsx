import { Alert } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { contextQuery } from "../../api/queries/session.ts";

/** What the service has to say on every page, such as that nothing isolates its scripts. */
export function PlatformMessage() {
  const { data } = useQuery(contextQuery);
  const { kind, title, message } = data?.platformMessage ?? {};
  if (!message) return null;
  return (
    <Alert color={kind === "warning" ? "yellow" : "gray"} variant="light" radius={0} py={6} role="status" title={title}>
      {message}
    </Alert>
  );
}
