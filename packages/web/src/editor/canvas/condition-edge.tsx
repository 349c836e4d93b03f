import { IconArrowsSplit2, IconCheck, IconX } from "@tabler/icons-react";
import { BaseEdge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from "@xyflow/react";
import { memo } from "react";
import classes from "./condition-edge.module.css";
import { conditionWord, type FlowEdge } from "./flow-elements.ts";

/**
 * An edge tells when it is taken by its line and by a sign, one that is chosen or leaves a decision by its words, too; one that is
 * always taken is a plain line.
 */
export const ConditionEdgeView = memo(function ConditionEdgeView(props: EdgeProps<FlowEdge>) {
  const { id, data, selected, markerEnd } = props;
  const [path, x, y] = getBezierPath(props);
  if (!data) return null;
  const { dependency, isFromDecision } = data;
  const kind = isFromDecision ? "decision" : (dependency.executionCondition ?? "always");
  const Icon = { always: undefined, success: IconCheck, failure: IconX, decision: IconArrowsSplit2 }[kind];
  return (
    <>
      <BaseEdge
        id={id}
        path={path}
        {...(markerEnd !== undefined && { markerEnd })}
        className={edgeClass(kind, selected === true)}
        interactionWidth={24}
      />
      {Icon && (
        <EdgeLabelRenderer>
          <div className={classes.label} data-kind={kind} style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}>
            <Icon size={12} aria-hidden />
            <span className={isFromDecision || selected ? classes.word : "only-heard"}>{conditionWord(dependency, isFromDecision)}</span>
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  );
});

function edgeClass(kind: string, isSelected: boolean): string {
  return [classes.edge, classes[kind], isSelected && classes.selected].filter(Boolean).join(" ");
}
