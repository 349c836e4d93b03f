import { Button, Group, Stack, TagsInput, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { ApiError, messageOf } from "../../api/api-error.ts";
import { labelsOf } from "../../components/run-form/run-body.ts";
import { t } from "../../texts/workflows.ts";
import { RefusalAlert } from "../../ui/state/refusal-alert.tsx";
import { useCreation } from "./use-creation.ts";
import { slugOf } from "./workflow-name.ts";

/** A name, and an empty graph. */
export function FromScratch({ team }: { team: string }) {
  const [title, setTitle] = useState("");
  const [description, setDescription] = useState("");
  const [labels, setLabels] = useState<string[]>([]);
  const [isTried, setTried] = useState(false);
  const creation = useCreation(team);
  const name = slugOf(title.trim());
  const isOfName = isAboutName(creation.error);
  const nameFault = isTried && name === "" ? t("fromScratch.enterNameLettersDigits") : isOfName ? messageOf(creation.error) : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (name === "") return;
    creation.mutate({ name, displayName: title.trim(), tasks: [], ...(description && { description }), labels: labelsOf(labels) });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm" maw={560}>
        <TextInput
          label={t("fromScratch.name")}
          required
          data-autofocus
          maxLength={128}
          description={name === "" ? t("fromScratch.nameHelp") : t("fromScratch.nameHelpSlug", { name })}
          error={nameFault}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <Textarea
          label={t("fromScratch.description")}
          autosize
          minRows={2}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <TagsInput label={t("fromScratch.labels")} description={t("fromScratch.labelsHelp")} value={labels} onChange={setLabels} />
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

/** Whether a refusal belongs to the field of the name. */
export function isAboutName(error: unknown): boolean {
  return (
    error instanceof ApiError && (error.reason === "WORKFLOW_NON_UNIQUE_NAME" || error.errors.some(({ path }) => path.startsWith("/name")))
  );
}
