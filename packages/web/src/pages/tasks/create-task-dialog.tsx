import { Button, FileButton, Group, SegmentedControl, Select, Text, TextInput } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { IconUpload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { createTask, type TaskScope, tasksQuery } from "../../api/queries/task/tasks.ts";
import { YamlPane } from "../../components/yaml/yaml-pane.tsx";
import { taskTypeChoices } from "../../forms/task-form/task-draft.ts";
import { readYaml } from "../../forms/task-form/yaml-edit.ts";
import { useApiMutation } from "../../hooks/use-renew.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/task/tasks.ts";
import { FormDialog } from "../../ui/dialog/form-dialog.tsx";
import { useTaskCheck } from "./editor/use-task-check.ts";

interface NewTask {
  way: "new" | "copy" | "paste";
  name: string;
  type: string;
  /** `team/NAME` or `global/NAME` */
  from: string | null;
  text: string;
}
type TaskForm = UseFormReturnType<NewTask>;

const ways = [
  { value: "new", label: t("createTaskDialog.scratch") },
  { value: "copy", label: t("createTaskDialog.copyTask") },
  { value: "paste", label: "YAML" },
];

/** Three ways to create a task. Nothing is stored until it is saved in the editor, except for a pasted document. */
export function CreateTaskDialog({ scope, onClose }: { scope: TaskScope; onClose: () => void }) {
  const navigate = useNavigate();
  const form: TaskForm = useForm<NewTask>({
    initialValues: { way: "new", name: "", type: "script", from: null, text: "" },
    validateInputOnChange: ["name"],
    validate: {
      name: (name, { way }) =>
        way !== "paste" && name !== "" && !/^[A-Za-z0-9-]{1,128}$/.test(name) ? t("createTaskDialog.lettersDigitsHyphensOnly") : null,
    },
  });
  const { way, name, type, from, text } = form.values;
  const check = useDocumentCheck(scope, text);
  const create = useApiMutation({ changes: ["tasks"], leadsAway: true, mutationFn: () => createTask(scope, text) });
  const pageOf = (task: string) => (scope === undefined ? paths.globalTask(task) : paths.teamTask(scope, task));
  const submit = async () => {
    if (way === "paste") {
      const created = await create.mutateAsync();
      onClose();
      await navigate({ to: pageOf(created.name) });
    } else {
      // The task is created when its page is saved. Until then it exists only in the URL.
      onClose();
      await navigate({ to: pageOf(name), search: way === "copy" ? { new: "copy", from: from ?? "" } : { new: type } });
    }
  };
  return (
    <FormDialog
      title={t("createTaskDialog.createTask")}
      size="lg"
      form={form}
      action={way === "paste" ? t("createTaskDialog.createTask") : t("createTaskDialog.openEditor")}
      whyNot={whyNotCreate(form, check.faults.length)}
      onSubmit={submit}
      onClose={onClose}
      staysOpen
    >
      <SegmentedControl aria-label={t("createTaskDialog.start")} data={ways} {...form.getInputProps("way")} />
      {way === "paste" ? <DocumentFields form={form} check={check} /> : <NameFields scope={scope} form={form} />}
    </FormDialog>
  );
}

function whyNotCreate({ values: { way, name, from, text }, errors }: TaskForm, faults: number): string | undefined {
  if (way === "paste")
    return text.trim() === "" ? t("createTaskDialog.enterDocumentFirst") : faults > 0 ? t("createTaskDialog.documentHasErrors") : undefined;
  if (name === "") return t("createTaskDialog.enterName");
  if (errors["name"]) return t("createTaskDialog.nameNotValid");
  return way === "copy" && from === null ? t("createTaskDialog.chooseTaskCopy") : undefined;
}

function useDocumentCheck(scope: TaskScope, text: string) {
  const read = readYaml(text);
  return useTaskCheck(scope, text, text.trim() !== "", "fault" in read ? read.fault : undefined);
}

function NameFields({ scope, form }: { scope: TaskScope; form: TaskForm }) {
  return (
    <>
      <TextInput
        label={t("createTaskDialog.name")}
        description={t("createTaskDialog.nameHelp")}
        required
        autoComplete="off"
        data-autofocus
        {...form.getInputProps("name")}
      />
      {form.values.way === "copy" ? (
        <CopySource scope={scope} form={form} />
      ) : (
        <Select
          label={t("createTaskDialog.type")}
          description={t("createTaskDialog.typeHelp")}
          data={taskTypeChoices("script")}
          allowDeselect={false}
          {...form.getInputProps("type")}
        />
      )}
      <Text size="sm" className="quiet">
        {t("createTaskDialog.nothingSavedUntilSave")}
      </Text>
    </>
  );
}

/** Creates a task directly from an existing document, e.g. one of the Tekton catalogue. */
function DocumentFields({ form, check }: { form: TaskForm; check: ReturnType<typeof useTaskCheck> }) {
  const { text } = form.values;
  const set = (next: string) => form.setFieldValue("text", next);
  return (
    <>
      <Group justify="space-between">
        <Text className="quiet">{t("createTaskDialog.oneDocumentKindTask")}</Text>
        <FileButton accept=".yaml,.yml,.json" onChange={(file) => file && void file.text().then(set)}>
          {(props) => (
            <Button {...props} variant="default" size="xs" leftSection={<IconUpload size={14} />}>
              {t("createTaskDialog.openFile")}
            </Button>
          )}
        </FileButton>
      </Group>
      <YamlPane
        label={t("createTaskDialog.taskDocument")}
        text={text}
        onChange={set}
        check={text.trim() === "" ? undefined : check}
        maxHeight="40vh"
        isReadOnly={false}
      />
    </>
  );
}

function CopySource({ scope, form }: { scope: TaskScope; form: TaskForm }) {
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
      searchable
      required
      nothingFoundMessage={t("createTaskDialog.noTaskName")}
      {...form.getInputProps("from")}
    />
  );
}
