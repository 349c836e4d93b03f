import { useSearchState } from "../../hooks/use-search-state.ts";
import { t } from "../../texts/run.ts";
import classes from "./run.module.css";
import { useRunView } from "./run-context.ts";
import { Notice } from "./run-notice.tsx";

/** More than these are only counted here. */
const shownResults = 2;

/** What the run gave, at once in sight: in short, with the way to all of it. */
export function RunResults() {
  const { run } = useRunView();
  const [, setAddress] = useSearchState({ view: "graph" });
  const rest = run.results.length - shownResults;
  return (
    <Notice tone="plain" action={t("runResults.showResults")} onAction={() => setAddress({ view: "values" }, { replace: false })}>
      <div className={classes.results}>
        {run.results.slice(0, shownResults).map(({ name, value }) => (
          <span key={name} className={classes.result}>
            <span className="quiet">{name}</span> <code>{shortText(value)}</code>
          </span>
        ))}
        {rest > 0 && <span className="quiet">{t("runResults.more", { rest })}</span>}
      </div>
    </Notice>
  );
}

function shortText(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
