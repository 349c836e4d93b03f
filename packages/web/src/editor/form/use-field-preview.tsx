import { type ReactNode, useMemo } from "react";
import type { PreviewValue } from "../../api/queries/workflow/trials.ts";
import { t } from "../../texts/workflow/trial.ts";
import { type Part, referencesIn, unknownParts } from "../node/expressions.ts";
import { usePreview } from "../node/preview-context.ts";
import classes from "./reference-field.module.css";

/**
 * The current value of a text with references, as a line below its field, and the invalid references in it. Nothing for a text without
 * references.
 * @param param undefined: no preview is requested
 */
export function useFieldPreview(param: string | undefined, text: string): { line: ReactNode; unknown: readonly Part[] } {
  const { given, names } = usePreview();
  const value = param === undefined ? undefined : given(param, text);
  const unknown = useMemo(() => (text.includes("$(") ? unknownParts(text, names, value?.unknown) : []), [text, names, value]);
  if (param === undefined || referencesIn(text).length === 0) return { line: null, unknown };
  return { line: <PreviewLine text={text} value={value} unknown={unknown} />, unknown };
}

function PreviewLine({ text, value, unknown }: { text: string; value: PreviewValue | undefined; unknown: readonly Part[] }) {
  const [first] = unknown;
  const why = value?.unknown?.[0]?.why ?? (first && t("preview.leadsNowhere", { reference: text.slice(first.from, first.to) }));
  if (why !== undefined)
    return (
      <div className={classes.given} data-tone="wrong" data-foreign role="status">
        {why}
      </div>
    );
  if (value === undefined) return <div className={classes.given}>…</div>;
  const [missing] = value.missing ?? [];
  return (
    <div className={classes.given} role="status" title={value.value}>
      <span className="only-heard">{t("preview.givesNow")} </span>
      {missing ? (
        <span className="quiet">{t("preview.notYet", { reference: missing.reference, why: missing.why })}</span>
      ) : (
        <>
          <span aria-hidden>= </span>
          <span className={classes.value}>{value.value === "" ? t("preview.empty") : value.value}</span>
          {value.truncated && "…"}
        </>
      )}
    </div>
  );
}
