import { Text } from "@mantine/core";
import { useMemo } from "react";
import { hasComments } from "../../forms/task-form/yaml-edit.ts";
import { t } from "../../texts/shared.ts";

interface CommentNoticeProps {
  text: string;
  /** What happens to the comments here. */
  why?: string;
}

/** Warns that comments in a text will be lost, as soon as the first one is typed. */
export function CommentNotice({ text, why = t("commentNotice.onlyDocumentWithoutThem") }: CommentNoticeProps) {
  const isCommented = useMemo(() => hasComments(text), [text]);
  if (!isCommented) return null;
  return (
    <Text size="sm" className="quiet" role="note">
      {t("commentNotice.commentsNotSaved", { why })}
    </Text>
  );
}
