import type { components } from "@millrace/client/schema.generated.ts";
import { t } from "../../texts/run/activity.ts";
import { dateFormat } from "../../ui/format.ts";
import classes from "./activity.module.css";

type SearchState = components["schemas"]["RunSearchState"];

interface IndexNoteProps {
  search: SearchState | undefined;
  /** If the sorted list lacks older runs, the time from which on it is complete. */
  sortedFrom: string | undefined;
}

/** Warns that a search may miss runs because its index is behind, and that the sorted list lacks older runs. */
export function IndexNote({ search, sortedFrom }: IndexNoteProps) {
  const text = indexText(search, sortedFrom, new Date());
  return (
    <div role="status" className={text && `${classes.behind} quiet`}>
      {text}
    </div>
  );
}

const time = dateFormat({ hour: "2-digit", minute: "2-digit" });
const day = dateFormat({ dateStyle: "medium", timeStyle: "short" });

/** For a time of today, shows the time without the date. */
function indexText(search: SearchState | undefined, sortedFrom: string | undefined, now: Date): string {
  const at = (iso: string) => {
    const date = new Date(iso);
    return (date.toDateString() === now.toDateString() ? time : day).format(date);
  };
  return [
    search?.indexedUntil !== undefined && t("indexNote.until", { at: at(search.indexedUntil) }),
    search?.indexedFrom !== undefined && t("indexNote.from", { at: at(search.indexedFrom) }),
    sortedFrom !== undefined && t("indexNote.sortedFrom", { at: at(sortedFrom) }),
  ]
    .filter(Boolean)
    .join(" ");
}
