import { Loader } from "@mantine/core";
import { IconAlertTriangleFilled, IconCircleCheckFilled } from "@tabler/icons-react";
import { t } from "../../texts/activity.ts";
import classes from "./bulk-outcomes.module.css";
import type { BulkThing } from "./bulk-thing.ts";
import type { BulkOutcome } from "./bulk-work.ts";

/** The things, one a line, with the outcome of each. @param outcomes undefined until it begins */
export function BulkOutcomes({ things, outcomes }: { things: readonly BulkThing[]; outcomes: readonly BulkOutcome[] | undefined }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has to by keyboard, too
    <ul className={classes.list} tabIndex={0} aria-label={t("bulkOutcomes.resource")}>
      {things.map(({ id, name }, index) => (
        <li key={id} className={classes.line} data-state={outcomes?.[index]?.state}>
          <span>{name}</span>
          <Outcome outcome={outcomes?.[index]} />
        </li>
      ))}
    </ul>
  );
}

function Outcome({ outcome }: { outcome: BulkOutcome | undefined }) {
  switch (outcome?.state) {
    case "working":
      return <Loader size={14} aria-label={t("bulkOutcomes.working")} />;
    case "done":
      return (
        <span className={classes.done}>
          <IconCircleCheckFilled size={14} aria-hidden /> {outcome.message}
        </span>
      );
    case "refused":
      return (
        <span className={classes.refused}>
          <IconAlertTriangleFilled size={14} aria-hidden /> {outcome.message}
        </span>
      );
    default:
      return null;
  }
}
