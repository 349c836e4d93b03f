import { Button, Group, Text, Title } from "@mantine/core";
import { useDraft } from "../draft/draft-context.ts";
import type { Edits } from "../draft/use-edits.ts";
import classes from "./side-panel.module.css";

/** Of several things at once: what can be done with all of them. */
export function ManyForm({ edits, count }: { edits: Edits; count: number }) {
  const { whyNotEdit } = useDraft();
  return (
    <div className={classes.body}>
      <Title order={2}>{count} tasks selected</Title>
      <Text size="sm" className="quiet" mb="sm">
        Drag one, or use the arrow keys, to move them all.
      </Text>
      {whyNotEdit === undefined && (
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={edits.duplicate}>
            Duplicate
          </Button>
          <Button size="xs" variant="default" onClick={edits.copy}>
            Copy
          </Button>
          <Button size="xs" variant="default" onClick={edits.remove}>
            Delete
          </Button>
        </Group>
      )}
    </div>
  );
}
