import { IconAlertTriangleFilled, IconCircleDashed, IconCircleXFilled, IconPointFilled } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { t } from "../../texts/ui.ts";
import classes from "./state-mark.module.css";

const icons = { on: IconPointFilled, off: IconCircleXFilled, rest: IconCircleDashed, wait: IconAlertTriangleFilled };

/** Whether a thing is in use: a word, a shape and a colour. Quieter than the status of a run, because most things are. */
export function StateMark({ tone, word }: { tone: keyof typeof icons; word: string }) {
  const Icon = icons[tone];
  return (
    <span className={classes.mark} data-tone={tone}>
      <Icon size={14} aria-hidden />
      {word}
    </span>
  );
}

/** A word beside a title. @param tone `changed`: what is seen differs from what is stored */
export function Tag({ tone = "quiet", children }: { tone?: "quiet" | "changed"; children: ReactNode }) {
  return (
    <span className={classes.tag} data-tone={tone}>
      {children}
    </span>
  );
}

/** Beside the title of whatever is edited here, until it is saved. */
export function UnsavedTag({ isNew = false }: { isNew?: boolean }) {
  return <Tag tone="changed">{isNew ? t("tag.notCreatedYet") : t("tag.unsavedChanges")}</Tag>;
}
