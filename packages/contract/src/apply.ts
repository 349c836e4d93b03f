import type { Static } from "typebox";
import Type from "typebox";
import { named, openObject, ref, stringEnum } from "./schema.ts";

/** A set of documents that is applied together. */

/** The kinds of documents, in the order in which the documents of a set are applied: each kind can refer to those before it. */
export const applyKinds = [
  "Team",
  "Parameter",
  "StepAction",
  "Task",
  "WorkflowTemplate",
  "Workflow",
  "Pipeline",
  "PipelineRun",
  "WorkflowTest",
  "Schedule",
  "Subscription",
] as const;
export type ApplyKind = (typeof applyKinds)[number];

/** The apiVersion of documents in Millrace's own format. */
export const ownApiVersion = "millrace.dev/v1";

export const applyLimits = { documents: 500, diffLength: 20_000, problems: 200 } as const;

export interface ApplyDocument extends Static<typeof applyDocument> {}
export const applyDocument = named(
  "ApplyDocument",
  openObject(
    {
      apiVersion: Type.Optional(
        Type.String({ description: `\`${ownApiVersion}\`, or \`tekton.dev/v1\` for a document of Tekton`, examples: [ownApiVersion] }),
      ),
      kind: Type.Optional(
        Type.String({
          description: `One of ${applyKinds.join(", ")}. May be left out for a workflow of a team, which has \`tasks\``,
          examples: ["Workflow"],
        }),
      ),
    },
    {
      description: "The other members are those of the document itself, as its PUT takes them",
      examples: [{ apiVersion: ownApiVersion, kind: "Parameter", name: "region", value: "eu-central-1" }],
    },
  ),
);

/** As YAML it is a stream of documents. */
export const applyRequest = Type.Unsafe<ApplyDocument | ApplyDocument[]>({
  anyOf: [{ type: "array", maxItems: applyLimits.documents, items: ref(applyDocument) }, ref(applyDocument)],
  description: `One document, or an array of up to ${applyLimits.documents}. As YAML: a stream of documents, separated by \`---\``,
});

/** `proposed`: a version of a protected workflow, which now waits for an approval. */
export const applyActions = ["created", "updated", "unchanged", "deleted", "proposed"] as const;
export type ApplyAction = (typeof applyActions)[number];

export interface AppliedDocument extends Static<typeof appliedDocument> {}
export const appliedDocument = named(
  "AppliedDocument",
  Type.Object({
    index: Type.Optional(Type.Integer({ description: "Its place in the set, from 0. Absent: it was deleted because of `prune`" })),
    kind: stringEnum(applyKinds),
    name: Type.String(),
    workflow: Type.Optional(Type.String({ description: "Of a schedule or a test: the name of its workflow" })),
    id: Type.Optional(Type.String({ description: "Absent if it has none, or has none yet in a dry run" })),
    action: stringEnum(applyActions),
    version: Type.Optional(Type.Integer({ description: "The latest version, of what has versions" })),
    actionRef: Type.Optional(Type.String({ description: "Of what was proposed: the ID of the action that waits for an approval" })),
    diff: Type.Optional(
      Type.String({
        description: `What changes, as a unified diff of YAML without secrets; at most ${applyLimits.diffLength} characters. Absent if nothing that is shown changes`,
      }),
    ),
    isDiffCut: Type.Optional(Type.Boolean({ description: "The diff is longer; this is its beginning" })),
    changesSecrets: Type.Optional(Type.Boolean({ description: "A secret changes, which the diff doesn't show" })),
    secret: Type.Optional(
      Type.String({ description: "Of a new subscription to webhooks: the generated secret that signs them. It is only in this answer" }),
    ),
    warnings: Type.Optional(Type.Array(Type.String({ description: "Worth checking, although it was applied" }))),
  }),
);

export interface ApplyProblem extends Static<typeof applyProblem> {}
export const applyProblem = named(
  "ApplyProblem",
  Type.Object({
    index: Type.Optional(Type.Integer({ description: "The document's place in the set, from 0. Absent: the set as a whole" })),
    kind: Type.Optional(Type.String({ description: "As the document says it" })),
    name: Type.Optional(Type.String()),
    reason: Type.String({ description: "As in an ErrorBody", examples: ["VALIDATION_FAILED"] }),
    path: Type.String({ description: "JSON pointer into the document; empty: the document as a whole" }),
    line: Type.Optional(Type.Integer({ description: "In the whole text, from 1; YAML only" })),
    column: Type.Optional(Type.Integer({ description: "From 1" })),
    message: Type.String({ description: "What is wrong, with which value, and what would be valid; without line and column" }),
  }),
);

export interface ApplyResult extends Static<typeof applyResult> {}
export const applyResult = named(
  "ApplyResult",
  Type.Object(
    {
      dryRun: Type.Boolean({ description: "Nothing was changed" }),
      documents: Type.Array(ref(appliedDocument), {
        description: "In the order of the set, then what `prune` deletes. A document with problems is not in it",
      }),
      problems: Type.Array(ref(applyProblem), {
        description: "All problems of all documents. Only a dry run is answered with some; otherwise they are a 400",
      }),
    },
    {
      examples: [
        {
          dryRun: true,
          documents: [
            {
              index: 0,
              kind: "Parameter",
              name: "region",
              action: "created",
              diff: "--- /dev/null\n+++ Parameter region\n@@ -0,0 +1 @@\n+name: region\n",
            },
            { index: 1, kind: "Workflow", name: "nightly", action: "unchanged", version: 3 },
          ],
          problems: [],
        },
      ],
    },
  ),
);
