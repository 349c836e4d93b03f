import { Group } from "@mantine/core";
import { statuses } from "@millrace/contract/status.ts";
import { StatusMark } from "../../ui/status-mark.tsx";
import { Example } from "./example.tsx";

export function StatusKit() {
  return (
    <>
      <Example name="StatusMark: word, shape and colour">
        <Group gap="xs">
          {statuses.map((status) => (
            <StatusMark key={status} status={status} />
          ))}
          <StatusMark status="notstarted" phase="queued" />
        </Group>
      </Example>
      <Example name="StatusMark, bare: in dense places, the word on hover and for who does not see it">
        <Group gap="xs">
          {statuses.map((status) => (
            <StatusMark key={status} status={status} isBare />
          ))}
        </Group>
      </Example>
    </>
  );
}
