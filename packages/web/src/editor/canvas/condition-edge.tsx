import { IconArrowsSplit2, IconCheck, IconX } from "@tabler/icons-react";
import { BaseEdge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from "@xyflow/react";
import { memo } from "react";
import { undoPath } from "../../graph/undo-path.ts";
import classes from "./condition-edge.module.css";
import { conditionWord, type FlowEdge } from "./flow-elements.ts";

/**
 * An edge shows its condition by its line style and a symbol; an edge out of a decision also by text. An unconditional edge is a plain
 * line. The text is placed where no task covers it.
 */
export const ConditionEdgeView = memo(function ConditionEdgeView(props: EdgeProps<FlowEdge>) {
  const { id, data, selected, markerEnd } = props;
  const [path] = getBezierPath(props);
  if (!data) return null;
  const { dependency, isFromDecision, isUndo, label } = data;
  if (isUndo) return <BaseEdge id={id} path={undoPath(props)} className={edgeClass("undo", false)} />;
  const kind = isFromDecision ? "decision" : (dependency.executionCondition ?? "always");
  const Icon = { always: undefined, success: IconCheck, failure: IconX, decision: IconArrowsSplit2 }[kind];
  const word = conditionWord(dependency, isFromDecision);
  return (
    <>
      {selected && <path d={path} className={classes.halo} />}
      <BaseEdge
        id={id}
        path={path}
        {...(markerEnd !== undefined && { markerEnd })}
        className={edgeClass(kind, selected === true)}
        interactionWidth={24}
      />
      {Icon && label && (
        <EdgeLabelRenderer>
          <div
            className={classes.label}
            data-kind={kind}
            data-selected={selected || undefined}
            title={word}
            style={{ transform: `translate(-50%, -50%) translate(${label.x}px, ${label.y}px)`, maxWidth: label.width }}
          >
            <Icon size={12} aria-hidden />
            <span className={isFromDecision && label.width > leastForWords ? classes.word : "only-heard"}>{word}</span>
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  );
});

/** In pixels; with less space only the symbol is shown. */
const leastForWords = 36;

function edgeClass(kind: string, isSelected: boolean): string {
  return [classes.edge, classes[kind], isSelected && classes.selected].filter(Boolean).join(" ");
}
