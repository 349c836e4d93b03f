import { Button, Group, Modal, Stack, Text, Title } from "@mantine/core";
import { t } from "../../texts/workflow/designer.ts";
import { ParameterList, useParameterList } from "../declared/parameter-list-editor.tsx";
import { ResultList, useResultList } from "../declared/result-list-editor.tsx";
import { useDraft } from "../draft/draft-context.ts";
import classes from "../form/side-panel.module.css";

/**
 * The parameters and results of a nested workflow: the forms of every workflow, but in a dialog, since it has no page of its own. Each
 * change goes into the draft at once, and is saved with it.
 */
export function NestedDeclarations({ onClose }: { onClose: () => void }) {
  const { whyNotEdit } = useDraft();
  return (
    <Modal opened onClose={onClose} title={t("nested.declarations")} size="lg" centered>
      <fieldset className={classes.plain} disabled={whyNotEdit !== undefined}>
        <Stack gap="sm">
          <Text size="sm" className="quiet">
            {t("nested.declarationsHelp")}
          </Text>
          <Title order={3}>{t("nested.parameters")}</Title>
          <ParameterList {...useParameterList()} none={t("nested.noParameters")} />
          <Title order={3}>{t("nested.results")}</Title>
          <ResultList {...useResultList()} />
        </Stack>
      </fieldset>
      <Group justify="flex-end" mt="md">
        <Button onClick={onClose}>{t("nested.done")}</Button>
      </Group>
    </Modal>
  );
}
