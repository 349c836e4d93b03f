import { Button, Group, NumberInput, Text, TextInput } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { ApiError } from "@millrace/client/api-error.ts";
import { useState } from "react";
import { CopyField } from "../../ui/copy-field.tsx";
import { FormDialog } from "../../ui/dialog/form-dialog.tsx";
import { FormSection } from "../../ui/form/form-section.tsx";
import { Example } from "./example.tsx";

interface Plant {
  name: string;
  height: number;
}
type Outcome = "saved" | "field" | "whole" | "slow" | "once" | "barred";

const openers: readonly (readonly [Outcome, string])[] = [
  ["saved", "Ask for a plant"],
  ["field", "Be refused at a field"],
  ["whole", "Be refused as a whole"],
  ["slow", "Take a while"],
  ["once", "Show what is shown once"],
  ["barred", "Not be allowed to"],
];
const atField = new ApiError(400, "VALIDATION_FAILED", "A member is wrong.", "r1", [
  { path: "/plant/name", message: "The name is taken." },
]);
const asWhole = new ApiError(409, "CONFLICT", "The bed is full. Remove a plant first.");

async function submit(outcome: Outcome): Promise<void> {
  if (outcome === "field") throw atField;
  if (outcome === "whole") throw asWhole;
  if (outcome === "slow") await new Promise((resolve) => setTimeout(resolve, 3_000));
}

/** A form in a dialog and a form on the page, in all their states. */
export function FormsKit() {
  const [open, setOpen] = useState<Outcome>();
  return (
    <>
      <Example name="FormDialog: sent, refused at its field, refused as a whole, under way, with a result, not allowed">
        <Group gap="xs">
          {openers.map(([outcome, label]) => (
            <Button key={outcome} variant="default" onClick={() => setOpen(outcome)}>
              {label}
            </Button>
          ))}
        </Group>
      </Example>
      <Example name="FormSection: saved, or taken back while it is not saved" isFramed>
        <PlantForm />
      </Example>
      {open !== undefined && <PlantDialog outcome={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function PlantForm() {
  const form = useForm<Plant>({ initialValues: { name: "ash", height: 20 } });
  return (
    <FormSection form={form} action="Save plant" onSubmit={async () => {}}>
      <PlantFields form={form} />
    </FormSection>
  );
}

function PlantDialog({ outcome, onClose }: { outcome: Outcome; onClose: () => void }) {
  const [isDone, setDone] = useState(false);
  const form = useForm<Plant>({
    initialValues: { name: "", height: 1 },
    validate: { height: (height) => (height > 90 ? "No tree is that high." : null) },
  });
  return (
    <FormDialog
      title="Create plant"
      form={form}
      action="Create plant"
      whyNot={outcome === "barred" ? "This needs the permission plant/write. Ask a gardener." : undefined}
      places={{ "/plant/name": "name" }}
      onSubmit={() => submit(outcome).then(() => setDone(true))}
      onClose={onClose}
      staysOpen={outcome === "once"}
      result={isDone && outcome === "once" && <CopyField value="7c1d0f" label="the number of the plant" />}
    >
      <PlantFields form={form} />
      <Text size="sm" className="quiet">
        Enter sends it. Escape asks before it loses what was entered.
      </Text>
    </FormDialog>
  );
}

function PlantFields({ form }: { form: UseFormReturnType<Plant> }) {
  return (
    <>
      <TextInput label="Name of the plant" required data-autofocus {...form.getInputProps("name")} />
      <NumberInput label="Height (metres)" min={0} {...form.getInputProps("height")} />
    </>
  );
}
