import { IconAlertTriangleFilled, IconCircleCheckFilled, IconCircleDashed, IconCircleXFilled } from "@tabler/icons-react";
import classes from "./admin.module.css";

const icons = { on: IconCircleCheckFilled, off: IconCircleXFilled, rest: IconCircleDashed, wait: IconAlertTriangleFilled };

/** The state of a thing of the instance: a word, a shape and a colour. */
export function StateMark({ tone, word }: { tone: keyof typeof icons; word: string }) {
  const Icon = icons[tone];
  return (
    <span className={classes.mark} data-tone={tone}>
      <Icon size={14} aria-hidden />
      {word}
    </span>
  );
}
