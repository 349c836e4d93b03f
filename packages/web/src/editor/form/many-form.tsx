import { Button, Group, Text, Title } from "@mantine/core";
import { t } from "../../texts/designer-form.ts";
import { useDraft } from "../draft/draft-context.ts";
import type { Edits } from "../draft/use-edits.ts";
import classes from "./side-panel.module.css";

/** Of several things at once: what can be done with all of them. */
export function ManyForm({ edits, count }: { edits: Edits; count: number }) {
  const { whyNotEdit } = useDraft();
  return (
    <div className={classes.body}>
      <Title order={2}>{t("manyForm.tasksSelected", { count })}</Title>
      <Text size="sm" className="quiet" mb="sm">
        {t("manyForm.dragUseArrowKeys")}
      </Text>
      {whyNotEdit === undefined && (
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={edits.duplicate}>
            {t("manyForm.duplicate")}
          </Button>
          <Button size="xs" variant="default" onClick={edits.copy}>
            {t("manyForm.copy")}
          </Button>
          <Button size="xs" variant="default" onClick={edits.remove}>
            {t("manyForm.delete")}
          </Button>
        </Group>
      )}
    </div>
  );
}
