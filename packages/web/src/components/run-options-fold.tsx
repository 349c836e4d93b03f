import { NumberInput, SimpleGrid, Stack, Switch, TagsInput } from "@mantine/core";
import type { Workflow } from "../api/queries/workflows.ts";
import { Fold } from "../ui/fold.tsx";
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
    <Fold title="Options of this run">
      <Stack gap="sm">
        <TagsInput
          label="Labels"
          description="Each as KEY=VALUE; they are laid over those of the workflow."
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
            label="Time-out in minutes"
            placeholder={workflow.timeout ? String(workflow.timeout) : "The team's quota"}
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
          description="Each step finds DEBUG=true in its environment and logs how it is held."
          checked={options.isDebug}
          onChange={(event) => change({ isDebug: event.currentTarget.checked })}
        />
      </Stack>
    </Fold>
  );
}
