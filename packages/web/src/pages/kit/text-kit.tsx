import { Anchor, Text, Title } from "@mantine/core";
import { CopyField } from "../../ui/copy-field.tsx";
import { Markdown } from "../../ui/markdown.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import { Example } from "./example.tsx";

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
