import { t } from "../../texts/ui.ts";
import { StateMark } from "../mark/state-mark.tsx";

/** How many warnings a thing has; nothing where there is none. */
export function WarningMark({ count }: { count: number }) {
  return count > 0 && <StateMark tone="wait" word={countWarnings(count)} />;
}

export function countWarnings(count: number): string {
  return t("warningMark.warningWarnings", { count });
}
