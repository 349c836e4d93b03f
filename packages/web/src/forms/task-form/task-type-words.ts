import { t } from "../../texts/task-form.ts";

/** The types of tasks in the words of people; those with steps first. Start and end belong to workflows alone. */
const words: Readonly<Record<string, string>> = {
  template: t("taskTypeWords.wordTemplate"),
  script: t("taskTypeWords.wordScript"),
  generic: t("taskTypeWords.wordGeneric"),
  custom: t("taskTypeWords.wordCustom"),
  approval: t("taskTypeWords.wordApproval"),
  manual: t("taskTypeWords.wordManual"),
  decision: t("taskTypeWords.wordDecision"),
  eventwait: t("taskTypeWords.wordEventwait"),
  sleep: t("taskTypeWords.wordSleep"),
  acquirelock: t("taskTypeWords.wordAcquirelock"),
  releaselock: t("taskTypeWords.wordReleaselock"),
  runworkflow: t("taskTypeWords.wordRunworkflow"),
  runscheduledworkflow: t("taskTypeWords.wordRunscheduledworkflow"),
  setwfproperty: t("taskTypeWords.wordSetwfproperty"),
  setwfstatus: t("taskTypeWords.wordSetwfstatus"),
};

export function taskTypeWord(type: string): string {
  return words[type]?.split(":")[0] ?? type;
}

/** @param present is a choice, too, when it is none of these */
export function taskTypeChoices(present: string): { value: string; label: string }[] {
  const choices = Object.entries(words).map(([value, label]) => ({ value, label }));
  return present in words ? choices : [...choices, { value: present, label: present }];
}
