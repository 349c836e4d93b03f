import type { PlacedFault } from "./faults.ts";
import type { StepDraft, TaskDraft } from "./task-draft.ts";

/** What each part of the form works on. */
export interface TaskPartProps {
  draft: TaskDraft;
  edit: (change: (text: string) => string) => void;
  faults: readonly PlacedFault[];
  isReadOnly: boolean;
}

/** What the fields of one step work on. */
export interface StepFieldsProps extends Omit<TaskPartProps, "draft"> {
  step: StepDraft;
  index: number;
}
