import { IconAlertTriangleFilled, IconCircleDashed, IconCircleXFilled, IconPointFilled } from "@tabler/icons-react";
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
