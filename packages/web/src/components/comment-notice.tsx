import { useMemo } from "react";
import { hasComments } from "../forms/task-form/yaml-edit.ts";

interface CommentNoticeProps {
  text: string;
  /** What becomes of them here. */
  why?: string;
}

/** Says of a text with comments that they are lost, as soon as the first one is written. */
export function CommentNotice({ text, why = "what is saved is the document without them" }: CommentNoticeProps) {
  const isCommented = useMemo(() => hasComments(text), [text]);
  if (!isCommented) return null;
  return (
    <p className="quiet" role="note" style={{ margin: 0, fontSize: 14 }}>
      Comments are not kept: {why}.
    </p>
  );
}
