import { Button, FileButton, Group, Stack, Text } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { createTask, type TaskScope } from "../../api/queries/tasks.ts";
import { YamlPane } from "../../components/yaml/yaml-pane.tsx";
import { readYaml } from "../../forms/task-form/yaml-edit.ts";
import { useApiMutation } from "../../hooks/use-api-mutation.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/tasks.ts";
import { useTaskCheck } from "./editor/use-task-check.ts";

/** A document from elsewhere becomes a task as it is, such as one of the Tekton catalogue. */
export function PasteTask({ scope, onDone }: { scope: TaskScope; onDone: () => void }) {
  const [text, setText] = useState("");
  const navigate = useNavigate();
  const read = readYaml(text);
  const check = useTaskCheck(scope, text, text.trim() !== "", "fault" in read ? read.fault : undefined);
  const create = useApiMutation({
    changes: ["tasks"],
    leadsAway: true,
    mutationFn: () => createTask(scope, text),
    onSuccess: ({ name }) => {
      onDone();
      void navigate({ to: scope === undefined ? paths.globalTask(name) : paths.teamTask(scope, name) });
    },
  });
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text className="quiet">{t("pasteTask.oneDocumentKindTask")}</Text>
        <FileButton accept=".yaml,.yml,.json" onChange={(file) => file && void file.text().then(setText)}>
          {(props) => (
            <Button {...props} variant="default" size="xs" leftSection={<IconUpload size={14} />}>
              {t("pasteTask.openFile")}
            </Button>
          )}
        </FileButton>
      </Group>
      <YamlPane
        label={t("pasteTask.taskDocument")}
        text={text}
        onChange={setText}
        check={text.trim() === "" ? undefined : check}
        maxHeight="40vh"
        isReadOnly={false}
      />
      {create.error !== null && (
        <Text role="alert" c="var(--status-failed)">
          {messageOf(create.error)}
        </Text>
      )}
      <Group justify="flex-end">
        <Button disabled={text.trim() === "" || check.faults.length > 0} loading={create.isPending} onClick={() => create.mutate()}>
          {t("pasteTask.createTask")}
        </Button>
      </Group>
    </Stack>
  );
}
