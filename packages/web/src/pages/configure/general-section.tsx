import { Select, Stack, Switch, TagsInput, Text, Textarea, TextInput } from "@mantine/core";
import { escapePointer } from "@millrace/contract/json-pointer.ts";
import { labelsOf } from "../../components/run-form/run-body.ts";
import { WorkflowIcon, workflowIcons } from "../../components/workflow-icon.tsx";
import { type Part, type SectionProps, useSectionDraft } from "../../editor/draft/use-section-draft.ts";
import { t } from "../../texts/workflow/configure.ts";
import { CopyField } from "../../ui/copy-field.tsx";
import { SaveBar } from "./save-bar.tsx";

interface Identity {
  displayName: string;
  description: string;
  icon: string;
  /** Each as KEY=VALUE. */
  labels: string[];
  isActive: boolean;
  /** Empty: none. */
  deadline: string;
  /** Empty: the usual duration. */
  expected: string;
}

/** When a run is late (docs/alerts.md). */
const deadlineKey = "millrace.dev/deadline";
const expectedKey = "millrace.dev/expected-duration";

function readIdentity({ displayName, description, icon, labels, annotations, status }: Part): Identity {
  return {
    displayName: displayName ?? "",
    description: description ?? "",
    icon: icon ?? "",
    labels: Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`),
    isActive: status !== "inactive",
    deadline: textOf(annotations?.[deadlineKey]),
    expected: textOf(annotations?.[expectedKey]),
  };
}

function writeIdentity({ displayName, description, icon, labels, isActive, deadline, expected }: Identity, before: Part): Part {
  // An empty text deletes the saved value, and is null where nothing is saved.
  const text = (typed: string, saved: string | null | undefined) => typed || (saved == null ? null : "");
  return {
    displayName: text(displayName, before.displayName),
    description: text(description, before.description),
    icon: text(icon, before.icon),
    labels: labelsOf(labels),
    status: isActive ? "active" : "inactive",
    annotations: withText(withText(before.annotations, deadlineKey, deadline), expectedKey, expected),
  };
}

function withText(annotations: Part["annotations"], key: string, text: string): Part["annotations"] {
  if (textOf(annotations?.[key]) === text) return annotations;
  const { [key]: _before, ...others } = annotations ?? {};
  return text === "" ? others : { ...others, [key]: text };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Name, description, icon, labels and status. None of it is versioned: a change applies to all versions. */
export function GeneralSection({ team, workflow }: SectionProps) {
  const section = useSectionDraft<Identity>({
    section: "general",
    members: ["displayName", "description", "icon", "labels", "annotations", "status"],
    read: readIdentity,
    write: writeIdentity,
  });
  const { value: draft, change, faultAt } = section;
  return (
    <Stack gap="sm" maw={560}>
      <TextInput
        label={t("generalSection.name")}
        error={faultAt("/displayName")}
        maxLength={256}
        placeholder={workflow.name}
        value={draft.displayName}
        onChange={(event) => change({ displayName: event.currentTarget.value })}
      />
      <Textarea
        label={t("generalSection.description")}
        error={faultAt("/description")}
        autosize
        minRows={2}
        value={draft.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
      <Select
        label={t("generalSection.icon")}
        error={faultAt("/icon")}
        description={t("generalSection.iconHelp")}
        data={iconsWith(draft.icon)}
        leftSection={<WorkflowIcon name={draft.icon} size={16} />}
        value={draft.icon || null}
        onChange={(icon) => change({ icon: icon ?? "" })}
        clearable
        clearButtonProps={{ "aria-label": t("generalSection.noIcon") }}
      />
      <TagsInput
        openOnFocus={false}
        label={t("generalSection.labels")}
        error={faultAt("/labels")}
        description={t("generalSection.labelsHelp")}
        value={draft.labels}
        onChange={(next) => change({ labels: next })}
      />
      <TextInput
        label={t("generalSection.expected")}
        error={faultAt(faultOf(expectedKey))}
        description={t("generalSection.expectedHelp")}
        maxLength={50}
        value={draft.expected}
        onChange={(event) => change({ expected: event.currentTarget.value.trim() })}
      />
      <TextInput
        label={t("generalSection.deadline")}
        error={faultAt(faultOf(deadlineKey))}
        description={t("generalSection.deadlineHelp")}
        maxLength={50}
        value={draft.deadline}
        onChange={(event) => change({ deadline: event.currentTarget.value.trim() })}
      />
      <Switch
        label={t("generalSection.active")}
        description={t("generalSection.activeHelp")}
        checked={draft.isActive}
        onChange={(event) => change({ isActive: event.currentTarget.checked })}
      />
      <SaveBar team={team} section={section} />
      <Identifiers slug={workflow.name} id={workflow.id ?? ""} />
    </Stack>
  );
}

const faultOf = (key: string) => `/annotations/${escapePointer(key)}`;

/** Identifiers that can't be changed, with copy buttons. */
function Identifiers({ slug, id }: { slug: string; id: string }) {
  return (
    <>
      <Text size="sm" className="quiet" mt="md">
        {t("generalSection.slugIdPermanentIdentifiers")}
      </Text>
      <Text size="sm" fw={500}>
        {t("generalSection.slug")}
      </Text>
      <CopyField value={slug} label={t("generalSection.slugLabel")} />
      <Text size="sm" fw={500}>
        {t("generalSection.id")}
      </Text>
      <CopyField value={id} label={t("generalSection.idLabel")} />
    </>
  );
}

/** The known icons, plus the selected one even if it is unknown. */
function iconsWith(chosen: string) {
  const isKnown = chosen === "" || workflowIcons.some(({ value }) => value === chosen);
  return isKnown ? workflowIcons : [...workflowIcons, { value: chosen, label: chosen }];
}
