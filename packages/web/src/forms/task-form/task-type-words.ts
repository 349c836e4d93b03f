/** The types of tasks in the words of people; those with steps first. Start and end belong to workflows alone. */
const words: Readonly<Record<string, string>> = {
  template: "Steps",
  script: "Script",
  generic: "Generic steps",
  custom: "Custom: the workflow sets the image",
  approval: "Approval",
  manual: "Manual task",
  decision: "Decision",
  eventwait: "Wait for an event",
  sleep: "Sleep",
  acquirelock: "Acquire a lock",
  releaselock: "Release a lock",
  runworkflow: "Run a workflow",
  runscheduledworkflow: "Run a workflow later",
  setwfproperty: "Set a result of the workflow",
  setwfstatus: "Set the status of the workflow",
};

export function taskTypeWord(type: string): string {
  return words[type]?.split(":")[0] ?? type;
}

/** @param present is a choice, too, when it is none of these */
export function taskTypeChoices(present: string): { value: string; label: string }[] {
  const choices = Object.entries(words).map(([value, label]) => ({ value, label }));
  return present in words ? choices : [...choices, { value: present, label: present }];
}
