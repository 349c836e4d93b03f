import { Select, Stack, Switch, TagsInput, Text, Textarea, TextInput } from "@mantine/core";
import { labelsOf } from "../../components/run-body.ts";
import { WorkflowIcon, workflowIcons } from "../../components/workflow-icon.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { SaveBar } from "./save-bar.tsx";
import type { SectionProps } from "./section.ts";
import { useDraft } from "./use-draft.ts";
import { useSectionSave } from "./use-section-save.ts";

/** Who it is. None of it is versioned: a change holds for all versions. */
export function GeneralSection(props: SectionProps) {
  const { team, workflow } = props;
  const { draft, isChanged, change, reset } = useDraft({
    displayName: workflow.displayName ?? "",
    description: workflow.description ?? "",
    icon: workflow.icon ?? "",
    labels: Object.entries(workflow.labels ?? {}).map(([key, value]) => `${key}=${value}`),
    isActive: workflow.status !== "inactive",
  });
  const saving = useSectionSave(props, { isChanged, onSaved: reset });
  const { labels, isActive, ...texts } = draft;
  const save = () => saving.save({ ...texts, labels: labelsOf(labels), status: isActive ? "active" : "inactive" });
  return (
    <Stack gap="sm" maw={560}>
      <TextInput
        label="Name"
        maxLength={256}
        placeholder={workflow.name}
        value={draft.displayName}
        onChange={(event) => change({ displayName: event.currentTarget.value })}
      />
      <Textarea
        label="Description"
        autosize
        minRows={2}
        value={draft.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
      <Select
        label="Picture"
        description="Beside its name in lists"
        data={[...new Set([...workflowIcons, ...(draft.icon ? [draft.icon] : [])])]}
        leftSection={<WorkflowIcon name={draft.icon} size={16} />}
        value={draft.icon || null}
        onChange={(icon) => change({ icon: icon ?? "" })}
        clearable
        clearButtonProps={{ "aria-label": "No picture" }}
      />
      <TagsInput
        label="Labels"
        description="Each as KEY=VALUE; every run gets them."
        value={draft.labels}
        onChange={(next) => change({ labels: next })}
      />
      <Switch
        label="Active"
        description="An inactive workflow is kept, and can't be run by anybody or anything."
        checked={draft.isActive}
        onChange={(event) => change({ isActive: event.currentTarget.checked })}
      />
      <SaveBar team={team} saving={saving} isChanged={isChanged} onSave={save} onReset={reset} />
      <Identity slug={workflow.name} id={workflow.id ?? ""} />
    </Stack>
  );
}

/** What can't be changed, to be copied. */
function Identity({ slug, id }: { slug: string; id: string }) {
  return (
    <>
      <Text size="sm" className="quiet" mt="md">
        In addresses and commands it is known by its slug and by its id. Both stay for good; a duplicate gets new ones.
      </Text>
      <Text size="sm" fw={500}>
        Slug
      </Text>
      <CopyField value={slug} label="the slug" />
      <Text size="sm" fw={500}>
        Id
      </Text>
      <CopyField value={id} label="the id" />
    </>
  );
}
