import { Button, FileButton, Group, Modal, SegmentedControl, Select, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDebouncedValue } from "@mantine/hooks";
import { IconUpload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { readWorkflow, templateSourcesQuery } from "../../api/queries/workflow/templates.ts";
import { useTeamsAllowing } from "../../hooks/use-team.ts";
import { t } from "../../texts/workflow/templates.ts";
import { ActionForm } from "../../ui/form/action-form.tsx";
import { TemplateEditor } from "./template-editor.tsx";
import { templateText } from "./template-text.ts";

/**
 * Creates a template from a workflow or from a text. The result is shown and can be edited before it is stored. It isn't a form dialog:
 * below the form that loads the workflow is the template editor, which saves on its own.
 */
export function CreateTemplateDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [way, setWay] = useState("workflow");
  const [text, setText] = useState<string>();
  const close = () => {
    setText(undefined);
    onClose();
  };
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={t("createTemplateDialog.createTemplate")}
      size="xl"
      closeButtonProps={{ "aria-label": t("createTemplateDialog.close") }}
    >
      <Stack gap="sm">
        <SegmentedControl
          aria-label={t("createTemplateDialog.start")}
          value={way}
          onChange={(next) => {
            setWay(next);
            setText(next === "text" ? "" : undefined);
          }}
          data={[
            { value: "workflow", label: t("createTemplateDialog.workflow") },
            { value: "text", label: t("createTemplateDialog.yamlJson") },
          ]}
        />
        {way === "workflow" && <FromWorkflow onText={setText} />}
        {way === "text" && text === "" && (
          <Group>
            <Text className="quiet">{t("createTemplateDialog.writePaste")}</Text>
            <FileButton accept=".yaml,.yml,.json" onChange={(file) => file && void file.text().then(setText)}>
              {(props) => (
                <Button {...props} variant="default" size="xs" leftSection={<IconUpload size={14} />}>
                  {t("createTemplateDialog.openFile")}
                </Button>
              )}
            </FileButton>
          </Group>
        )}
        {text !== undefined && (
          <TemplateEditor key={way + (text === "" ? "" : text.slice(0, 200))} initial={text} etag={undefined} onSaved={close} />
        )}
      </Stack>
    </Modal>
  );
}

function FromWorkflow({ onText }: { onText: (text: string) => void }) {
  const [typed, setTyped] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [search] = useDebouncedValue(isOpen ? typed : "", 200);
  const [chosen, setChosen] = useState<{ value: string; label: string }>();
  // The field contains the selected team's name until the user types: that isn't a search.
  const { teams } = useTeamsAllowing("workflow/read", search === chosen?.label ? "" : search);
  const choices = teams.map(({ name, displayName }) => ({ value: name, label: displayName || name }));
  const shown = chosen ?? choices[0];
  const team = shown?.value ?? "";
  const form = useForm({
    initialValues: { workflow: "", name: "" },
    validate: {
      workflow: (workflow) => (workflow === "" ? t("createTemplateDialog.workflowMissing") : null),
      name: (name) => (name.trim() === "" ? t("createTemplateDialog.nameMissing") : null),
    },
  });
  const { data: workflows = [] } = useQuery(templateSourcesQuery(team));
  const read = async ({ workflow, name }: typeof form.values) =>
    onText(templateText((await readWorkflow(team, workflow)) as object, name.trim()));
  return (
    <ActionForm form={form} action={t("createTemplateDialog.preview")} isMinor onSubmit={read}>
      <Group grow align="flex-start">
        <Select
          label={t("createTemplateDialog.team")}
          data={shown === undefined || choices.some(({ value }) => value === team) ? choices : [shown, ...choices]}
          value={team || null}
          searchable
          onSearchChange={setTyped}
          onDropdownOpen={() => {
            setChosen(shown);
            setOpen(true);
          }}
          onDropdownClose={() => setOpen(false)}
          nothingFoundMessage={t("createTemplateDialog.noTeamName")}
          allowDeselect={false}
          onChange={(_, next) => {
            setChosen(next ?? undefined);
            form.setFieldValue("workflow", "");
          }}
        />
        <Select
          label={t("createTemplateDialog.workflowLabel")}
          data={workflows.map((one) => ({ value: one.name, label: one.displayName }))}
          searchable
          nothingFoundMessage={t("createTemplateDialog.noWorkflowName")}
          {...form.getInputProps("workflow")}
          value={form.values.workflow || null}
          onChange={(next) => {
            form.setFieldValue("workflow", next ?? "");
            if (form.values.name === "") form.setFieldValue("name", next ?? "");
          }}
        />
        <TextInput label={t("createTemplateDialog.nameTemplate")} autoComplete="off" {...form.getInputProps("name")} />
      </Group>
    </ActionForm>
  );
}
