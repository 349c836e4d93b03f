import { Button, Group, Modal, SegmentedControl, Select, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type TaskScope, tasksQuery } from "../../api/queries/tasks.ts";
import { taskTypeChoices } from "../../forms/task-form/task-type-words.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/tasks.ts";
import { PasteTask } from "./paste-task.tsx";

interface CreateTaskDialogProps {
  scope: TaskScope;
  isOpen: boolean;
  onClose: () => void;
}

/** Three ways to a new task. Nothing is stored before it is looked at, but a document that is pasted. */
export function CreateTaskDialog({ scope, isOpen, onClose }: CreateTaskDialogProps) {
  const [way, setWay] = useState("new");
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t("createTaskDialog.createTask")}
      size="lg"
      closeButtonProps={{ "aria-label": t("createTaskDialog.close") }}
    >
      <Stack gap="sm">
        <SegmentedControl
          aria-label={t("createTaskDialog.start")}
          value={way}
          onChange={setWay}
          data={[
            { value: "new", label: t("createTaskDialog.scratch") },
            { value: "copy", label: t("createTaskDialog.copyTask") },
            { value: "paste", label: "YAML" },
          ]}
        />
        {way === "paste" ? (
          <PasteTask scope={scope} onDone={onClose} />
        ) : (
          <NameTask key={way} scope={scope} isCopy={way === "copy"} onDone={onClose} />
        )}
      </Stack>
    </Modal>
  );
}

/** The task is made when its page is saved; until then it is only in the address. */
function NameTask({ scope, isCopy, onDone }: { scope: TaskScope; isCopy: boolean; onDone: () => void }) {
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [type, setType] = useState("script");
  const [from, setFrom] = useState<string | null>(null);
  const fault = name !== "" && !/^[A-Za-z0-9-]{1,128}$/.test(name) ? t("createTaskDialog.lettersDigitsHyphensOnly") : undefined;
  const begin = () => {
    const to = scope === undefined ? paths.globalTask(name) : paths.teamTask(scope, name);
    onDone();
    void navigate({ to, search: isCopy ? { new: "copy", from: from ?? "" } : { new: type } });
  };
  const isReady = name !== "" && fault === undefined && (!isCopy || from !== null);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) begin();
      }}
    >
      <Stack gap="sm">
        <TextInput
          label={t("createTaskDialog.name")}
          description={t("createTaskDialog.nameHelp")}
          value={name}
          error={fault}
          required
          autoComplete="off"
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {isCopy ? (
          <CopySource scope={scope} value={from} onChange={setFrom} />
        ) : (
          <Select
            label={t("createTaskDialog.type")}
            description={t("createTaskDialog.typeHelp")}
            data={taskTypeChoices("script")}
            value={type}
            allowDeselect={false}
            onChange={(next) => setType(next ?? "script")}
          />
        )}
        <Group justify="flex-end">
          <Button type="submit" disabled={!isReady}>
            {t("createTaskDialog.openEditor")}
          </Button>
        </Group>
        <Text size="sm" className="quiet">
          {t("createTaskDialog.nothingSavedUntilSave")}
        </Text>
      </Stack>
    </form>
  );
}

function CopySource({ scope, value, onChange }: { scope: TaskScope; value: string | null; onChange: (value: string | null) => void }) {
  const { data: global = [] } = useQuery(tasksQuery(undefined));
  const { data: own = [] } = useQuery({ ...tasksQuery(scope), enabled: scope !== undefined });
  const choices = (tasks: typeof global, prefix: string) =>
    tasks.map((task) => ({ value: `${prefix}/${task.name}`, label: task.displayName || task.name }));
  const groups = [
    ...(scope === undefined ? [] : [{ group: t("createTaskDialog.team"), items: choices(own, "team") }]),
    { group: t("createTaskDialog.global"), items: choices(global, "global") },
  ];
  return (
    <Select
      label={t("createTaskDialog.copy")}
      data={groups}
      value={value}
      onChange={onChange}
      searchable
      required
      nothingFoundMessage={t("createTaskDialog.noTaskName")}
    />
  );
}
