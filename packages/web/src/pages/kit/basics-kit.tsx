import { Anchor, Group, Text, Title } from "@mantine/core";
import { statuses } from "@millrace/contract/status.ts";
import { IconCircleCheckFilled } from "@tabler/icons-react";
import { CopyField } from "../../ui/copy-field.tsx";
import { StateMark, Tag, UnsavedTag } from "../../ui/mark/state-mark.tsx";
import { StatusMark, ToneMark } from "../../ui/mark/status-mark.tsx";
import { Markdown } from "../../ui/markdown.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import { Example } from "./example.tsx";
import classes from "./kit.module.css";

const tones = ["waiting", "running", "succeeded", "failed", "cancelled", "skipped", "queued"];
const tokens = [
  ...[
    "ground",
    "ground-raised",
    "ground-sunken",
    "ground-hover",
    "line",
    "line-strong",
    "ink",
    "ink-quiet",
    "accent",
    "accent-ground",
    "focus",
  ],
  ...tones.flatMap((status) => [`status-${status}`, `status-${status}-ground`]),
];

/** The design tokens of styles/tokens.css. */
export function ColoursKit() {
  return (
    <div className={classes.swatches}>
      {tokens.map((token) => (
        <div key={token} className={classes.swatch}>
          <span className={classes.colour} style={{ background: `var(--${token})` }} />
          {token}
        </div>
      ))}
    </div>
  );
}

const markdown = "A **note** with `code`, a [link](https://example.com) and\n\n- a list\n- of two\n\n<script>alert('never runs')</script>";
const past = "2026-01-05T08:15:00.000Z";

export function TextKit() {
  return (
    <>
      <Example name="Title, order 2 and 3">
        <Title order={3}>A part of a part</Title>
      </Example>
      <Example name="Text, quiet, code, Anchor">
        <Text>Text of the body</Text>
        <Text className="quiet">A quiet line beside it</Text>
        <code>$(params.name)</code> <Anchor href="#text">A link</Anchor>
      </Example>
      <Example name="TimeText: relative, exact, none">
        <TimeText at={past} /> · <TimeText at={past} isExact /> · <TimeText at={null} />
      </Example>
      <Example name="Markdown: what somebody wrote, without HTML" isFramed>
        <Markdown text={markdown} />
      </Example>
      <Example name="CopyField">
        <CopyField value={'curl -sS "$MILLRACE/api/v2/context"'} label="the command" />
      </Example>
    </>
  );
}

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
