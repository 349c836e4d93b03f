import { NumberInput, SimpleGrid, Stack, Switch, TagsInput } from "@mantine/core";
import type { Workflow } from "../../api/queries/workflows.ts";
import { t } from "../../texts/run-form.ts";
import { Fold } from "../../ui/fold.tsx";
import type { RunOptions } from "./run-body.ts";

interface RunOptionsFoldProps {
  options: RunOptions;
  onChange: (options: RunOptions) => void;
  workflow: Workflow;
}

/** Labels, version, time-out, retries and debug of this one run. */
export function RunOptionsFold({ options, onChange, workflow }: RunOptionsFoldProps) {
  const change = (part: Partial<RunOptions>) => onChange({ ...options, ...part });
  return (
    <Fold title={t("runOptionsFold.runOptions")}>
      <Stack gap="sm">
        <TagsInput
          openOnFocus={false}
          label={t("runOptionsFold.labels")}
          description={t("runOptionsFold.labelsHelp")}
          placeholder={options.labels.length === 0 ? t("runOptionsFold.labelsPlaceholder") : ""}
          value={options.labels}
          onChange={(labels) => change({ labels })}
        />
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
          <NumberInput
            label={t("runOptionsFold.version")}
            placeholder={t("runOptionsFold.versionPlaceholder", { version: String(workflow.version ?? 1) })}
            min={1}
            max={workflow.version ?? 1}
            allowDecimal={false}
            value={options.version}
            onChange={(version) => change({ version: String(version) })}
          />
          <NumberInput
            label={t("runOptionsFold.timeoutMinutes")}
            placeholder={workflow.timeout ? String(workflow.timeout) : t("runOptionsFold.timeoutMinutesPlaceholder")}
            min={0}
            allowDecimal={false}
            value={options.timeout}
            onChange={(timeout) => change({ timeout: String(timeout) })}
          />
          <NumberInput
            label={t("runOptionsFold.retries")}
            placeholder={String(workflow.retries ?? 0)}
            min={0}
            max={100}
            allowDecimal={false}
            value={options.retries}
            onChange={(retries) => change({ retries: String(retries) })}
          />
        </SimpleGrid>
        <Switch
          label={t("runOptionsFold.debug")}
          description={t("runOptionsFold.debugHelp")}
          checked={options.isDebug}
          onChange={(event) => change({ isDebug: event.currentTarget.checked })}
        />
      </Stack>
    </Fold>
  );
}
