import Type, { type Static } from "typebox";
import { named, ref } from "../schema.ts";
import { mostLabels, mostLabelValues } from "./workflow-list.ts";

/** The labels by which a list of workflows can be grouped. */

const workflows = Type.Integer({ description: "How many of the workflows have it" });

export interface WorkflowLabel extends Static<typeof workflowLabel> {}
export const workflowLabel = named(
  "WorkflowLabel",
  Type.Object({
    key: Type.String(),
    workflows,
    valueCount: Type.Integer({ description: `How many values it has; at most ${mostLabelValues} are listed` }),
    values: Type.Array(Type.Object({ value: Type.String(), workflows }), { description: "By value" }),
  }),
);

export interface WorkflowLabels extends Static<typeof workflowLabels> {}
export const workflowLabels = named(
  "WorkflowLabels",
  Type.Object(
    {
      total: Type.Integer({ description: "How many workflows match" }),
      labels: Type.Array(ref(workflowLabel), { description: `By key; at most ${mostLabels}, those that most workflows have` }),
    },
    { examples: [{ total: 3, labels: [{ key: "area", workflows: 2, valueCount: 1, values: [{ value: "reporting", workflows: 2 }] }] }] },
  ),
);
