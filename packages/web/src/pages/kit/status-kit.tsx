import { Group } from "@mantine/core";
import { statuses } from "@millrace/contract/status.ts";
import { IconCircleCheckFilled } from "@tabler/icons-react";
import { StateMark } from "../../ui/mark/state-mark.tsx";
import { StatusMark } from "../../ui/mark/status-mark.tsx";
import { Tag, UnsavedTag } from "../../ui/mark/tag.tsx";
import { ToneMark } from "../../ui/mark/tone-mark.tsx";
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
      <Example name="ToneMark: what a StatusMark is made of; on a ground of its tone, or among many">
        <Group gap="md">
          <ToneMark look={{ word: "Delivered", tone: "succeeded", icon: IconCircleCheckFilled }} />
          <ToneMark look={{ word: "Delivered", tone: "succeeded", icon: IconCircleCheckFilled }} isOnGround />
        </Group>
      </Example>
      <Example name="StateMark: whether a thing is in use">
        <Group gap="md">
          <StateMark tone="on" word="Active" />
          <StateMark tone="rest" word="Archived" />
          <StateMark tone="wait" word="Draining" />
          <StateMark tone="off" word="Gone" />
        </Group>
      </Example>
      <Example name="Tag: beside a title">
        <Group gap="xs">
          <Tag>Version 4</Tag>
          <UnsavedTag />
          <UnsavedTag isNew />
        </Group>
      </Example>
    </>
  );
}
