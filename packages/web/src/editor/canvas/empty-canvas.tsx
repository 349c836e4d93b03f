import { Button, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Panel } from "@xyflow/react";
import { t } from "../../texts/workflow/designer.ts";
import { isMarker } from "../draft/draft.ts";
import { useDraft } from "../draft/draft-context.ts";
import classes from "./canvas-tools.module.css";

/** Shows how to start while the workflow contains only start and end. */
export function EmptyCanvas({ onBegin }: { onBegin: () => void }) {
  const { history, whyNotEdit } = useDraft();
  if (whyNotEdit !== undefined || !history.present.tasks.every(isMarker) || (history.present.canvasNotes ?? []).length > 0) return null;
  return (
    <Panel position="top-center" className={classes.empty ?? ""}>
      <Text fw={500}>{t("emptyCanvas.title")}</Text>
      <Text size="sm" className="quiet">
        {t("emptyCanvas.howTo")}
      </Text>
      <Button size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={onBegin}>
        {t("emptyCanvas.addTask")}
      </Button>
    </Panel>
  );
}
