import { IconCheck, IconX } from "@tabler/icons-react";
import { BaseEdge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from "@xyflow/react";
import { t } from "../../texts/run.ts";
import classes from "./run-graph.module.css";
import type { EdgeState } from "./run-graph-model.ts";

const words: Record<EdgeState, string> = { taken: t("runEdge.wordTaken"), refused: t("runEdge.wordRefused"), open: t("runEdge.wordOpen") };

/** A way from one task to the next: solid when the run went it, dashed when it did not, thin while that is open. */
export function RunEdgeLine(props: EdgeProps) {
  const { label, state } = props.data as { label: string | undefined; state: EdgeState };
  const [path, x, y] = getBezierPath(props);
  return (
    <>
      <BaseEdge id={props.id} path={path} className={`${classes.edge} ${classes[state]}`} />
      {label !== undefined && (
        <EdgeLabelRenderer>
          <span
            className={`${classes.label} nodrag nopan`}
            data-state={state}
            title={`${label}: ${words[state]}`}
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
          >
            <EdgeWords label={label} />
          </span>
        </EdgeLabelRenderer>
      )}
    </>
  );
}

/** The two conditions that are everywhere are a sign; the patterns of a switch are words. */
function EdgeWords({ label }: { label: string }) {
  const isSuccess = label === t("runGraphModel.success");
  if (!isSuccess && label !== t("runGraphModel.failure")) return label;
  return (
    <>
      {isSuccess ? <IconCheck size={14} aria-hidden /> : <IconX size={14} aria-hidden />}
      <span className="only-heard">{label}</span>
    </>
  );
}
