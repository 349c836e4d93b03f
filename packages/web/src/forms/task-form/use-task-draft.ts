import { useMemo, useRef, useState } from "react";
import { readDraft, type TaskDraft } from "./task-draft.ts";
import { readYaml, type YamlFault } from "./yaml-edit.ts";

export interface TaskDraftState {
  /** The one truth: the document as a text. */
  text: string;
  setText: (text: string) => void;
  /** What the form does; nothing while the text can't be read. */
  edit: (change: (text: string) => string) => void;
  /** As of the last text that could be read. */
  draft: TaskDraft;
  /** Why the text can't be read. */
  fault: YamlFault | undefined;
}

/** A task document that is edited as a text and as a form at once. */
export function useTaskDraft(initial: string): TaskDraftState {
  const [text, setText] = useState(initial);
  const read = useMemo(() => readYaml(text), [text]);
  const last = useRef<TaskDraft>(emptyDraft);
  const draft = useMemo(() => {
    if ("document" in read) last.current = readDraft(read.document);
    return last.current;
  }, [read]);
  const fault = "fault" in read ? read.fault : undefined;
  const edit = (change: (text: string) => string) => {
    if (fault === undefined) setText(change);
  };
  return { text, setText, edit, draft, fault };
}

const emptyDraft: TaskDraft = {
  ...{ name: "", type: "template", displayName: "", description: "", category: "", icon: "", executor: "", network: "", runsOn: "" },
  ...{ params: [], results: [], steps: [], annotations: [] },
};
