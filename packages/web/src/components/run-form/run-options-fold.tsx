import { NumberInput, SimpleGrid, Stack, Switch, TagsInput } from "@mantine/core";
import type { Workflow } from "../../api/queries/workflows.ts";
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
    <Fold title="Run options">
      <Stack gap="sm">
        <TagsInput
          label="Labels"
          description="Each as KEY=VALUE. Added to the labels of the workflow."
          placeholder={options.labels.length === 0 ? "stage=test" : ""}
          value={options.labels}
          onChange={(labels) => change({ labels })}
        />
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
          <NumberInput
            label="Version"
            placeholder={`Latest (${workflow.version ?? 1})`}
            min={1}
            max={workflow.version ?? 1}
            allowDecimal={false}
            value={options.version}
            onChange={(version) => change({ version: String(version) })}
          />
          <NumberInput
            label="Timeout (minutes)"
            placeholder={workflow.timeout ? String(workflow.timeout) : "Team quota"}
            min={0}
            allowDecimal={false}
            value={options.timeout}
            onChange={(timeout) => change({ timeout: String(timeout) })}
          />
          <NumberInput
            label="Retries"
            placeholder={String(workflow.retries ?? 0)}
            min={0}
            max={100}
            allowDecimal={false}
            value={options.retries}
            onChange={(retries) => change({ retries: String(retries) })}
          />
        </SimpleGrid>
        <Switch
          label="Debug"
          description="Steps get DEBUG=true in their environment and log how they are isolated."
          checked={options.isDebug}
          onChange={(event) => change({ isDebug: event.currentTarget.checked })}
        />
      </Stack>
    </Fold>
  );
}
