import { Button, Group, Stack, TagsInput, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { ApiError } from "@millrace/client/api-error.ts";
import { messageOf } from "../../api/api-error.ts";
import { labelsOf } from "../../components/run-form/run-body.ts";
import { t } from "../../texts/workflow/workflows.ts";
import { RefusalAlert } from "../../ui/state/refusal-alert.tsx";
import { slugOf, useCreation } from "./use-creation.ts";

/** Creates a workflow with a name and an empty graph. */
export function FromScratch({ team }: { team: string }) {
  const form = useForm({
    initialValues: { title: "", description: "", labels: [] as string[] },
    validate: { title: (title) => (slugOf(title.trim()) === "" ? t("fromScratch.enterNameLettersDigits") : null) },
  });
  const creation = useCreation(team);
  const name = slugOf(form.values.title.trim());
  const isOfName = isAboutName(creation.error);
  const submit = form.onSubmit(({ title, description, labels }) =>
    creation.mutate({ name, displayName: title.trim(), tasks: [], ...(description && { description }), labels: labelsOf(labels) }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm" maw={560}>
        <TextInput
          label={t("fromScratch.name")}
          required
          data-autofocus
          maxLength={128}
          description={name === "" ? t("fromScratch.nameHelp") : t("fromScratch.nameHelpSlug", { name })}
          {...form.getInputProps("title")}
          error={form.errors["title"] ?? (isOfName ? messageOf(creation.error) : undefined)}
        />
        <Textarea label={t("fromScratch.description")} autosize minRows={2} {...form.getInputProps("description")} />
        <TagsInput label={t("fromScratch.labels")} description={t("fromScratch.labelsHelp")} {...form.getInputProps("labels")} />
        {creation.error !== null && !isOfName && <RefusalAlert title={t("fromScratch.couldntCreateWorkflow")} error={creation.error} />}
        <Group>
          <Button type="submit" loading={creation.isPending}>
            {t("fromScratch.createOpenDesigner")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Whether an error belongs to the name field. */
export function isAboutName(error: unknown): boolean {
  return (
    error instanceof ApiError && (error.reason === "WORKFLOW_NON_UNIQUE_NAME" || error.errors.some(({ path }) => path.startsWith("/name")))
  );
}
