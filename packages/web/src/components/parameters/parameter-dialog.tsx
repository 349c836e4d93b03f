import { Modal } from "@mantine/core";
import type { Parameter } from "../../api/queries/parameters.ts";
import { ParameterEditForm } from "./parameter-edit-form.tsx";
import type { useParameters } from "./use-parameters.ts";

interface ParameterDialogProps {
  isGlobal: boolean;
  /** undefined: closed. */
  parameter: Parameter | "new" | undefined;
  /** Names that there are. */
  taken: readonly string[];
  save: ReturnType<typeof useParameters>["save"];
  onClose: () => void;
}

/** Adds a parameter, or changes one. */
export function ParameterDialog({ isGlobal, parameter, taken, save, onClose }: ParameterDialogProps) {
  const known = typeof parameter === "object" ? parameter : undefined;
  return (
    <Modal opened={parameter !== undefined} onClose={onClose} title={known ? `Edit ${known.name}` : "Add parameter"}>
      {parameter !== undefined && (
        <ParameterEditForm
          isGlobal={isGlobal}
          known={known}
          taken={taken}
          isBusy={save.isPending}
          error={save.error}
          onCancel={onClose}
          onSave={(wanted) => save.mutate({ parameter: wanted, isNew: known === undefined }, { onSuccess: onClose })}
        />
      )}
    </Modal>
  );
}
