import { t } from "../../texts/workflow/trial.ts";
import { usePreview } from "../node/preview-context.ts";
import classes from "./reference-field.module.css";

/** The result of the loop's condition after the last known round. */
export function LoopPreview() {
  const { loop } = usePreview().repeats;
  if (loop === undefined) return null;
  const { rounds, ends, why } = loop;
  if (why !== undefined || ends === undefined) return <Line text={t("repeatPreview.notKnown", { why: why ?? "" })} isQuiet />;
  if (rounds === 0) return <Line text={t(ends ? "repeatPreview.noRound" : "repeatPreview.firstRound")} />;
  return <Line text={t(ends ? "repeatPreview.ends" : "repeatPreview.goesOn", { rounds })} />;
}

/** The number of items there would be. */
export function ItemsPreview({ isBatched }: { isBatched: boolean }) {
  const { items } = usePreview().repeats;
  if (items === undefined) return null;
  const { count, first, why } = items;
  if (count === undefined) return <Line text={t("repeatPreview.notKnown", { why: why ?? "" })} isQuiet />;
  if (first === undefined) return <Line text={t("repeatPreview.noItems")} />;
  return <Line text={t(isBatched ? "repeatPreview.batches" : "repeatPreview.items", { count, first })} />;
}

function Line({ text, isQuiet = false }: { text: string; isQuiet?: boolean }) {
  return (
    <div className={classes.given} role="status" data-foreign>
      <span className={isQuiet ? "quiet" : classes.value}>{text}</span>
    </div>
  );
}
