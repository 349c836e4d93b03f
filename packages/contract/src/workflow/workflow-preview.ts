import Type, { type Static } from "typebox";
import { named, orNull, ref, stringEnum } from "../schema.ts";
import { draftMembers, valueMembers } from "./workflow-try.ts";

/** The current values of expressions of a workflow, before anything runs. */

export const maxPreviewExpressions = 200;
export const maxPreviewConditions = 50;
/** Characters of one value in a response; the rest is cut off. */
export const maxPreviewLength = 10_000;

const expressionText = Type.String({ maxLength: 100_000 });

const previewExpression = named(
  "PreviewExpression",
  Type.Object({
    text: expressionText,
    param: orNull(Type.String({ description: "The parameter of the task whose value this is; it decides on the type" })),
  }),
);

const previewCondition = named(
  "PreviewCondition",
  Type.Object({
    value: expressionText,
    patterns: Type.Array(Type.String({ maxLength: 10_000, description: "Regular expressions, one per line; empty: the default link" }), {
      maxItems: 100,
    }),
  }),
);

export interface WorkflowPreviewRequest extends Static<typeof workflowPreviewRequest> {}
export const workflowPreviewRequest = named(
  "WorkflowPreviewRequest",
  Type.Object(
    {
      ...draftMembers,
      ...valueMembers,
      node: orNull(Type.String({ minLength: 1, description: "The task in which the expressions are; its own parameters count" })),
      expressions: orNull(
        Type.Array(Type.Unsafe<string | Static<typeof previewExpression>>({ anyOf: [expressionText, Type.Ref(previewExpression.$id)] }), {
          maxItems: maxPreviewExpressions,
        }),
      ),
      conditions: orNull(
        Type.Array(ref(previewCondition), { maxItems: maxPreviewConditions, description: "Of switches: which links they take" }),
      ),
      repeats: orNull(
        Type.Boolean({ description: "Also says what the condition of the task's loop, or the list of its forEach, gives now" }),
      ),
      references: orNull(Type.Boolean({ description: "Also lists what the task may refer to, with the present values" })),
    },
    { examples: [{ node: "greet", expressions: ["Hello $(params.city)"], params: [{ name: "city", value: "Oslo" }] }] },
  ),
);

const previewFinding = named("PreviewFinding", Type.Object({ reference: Type.String(), why: Type.String() }));
const valueTypes = ["text", "number", "boolean", "list", "object", "null"] as const;
export type PreviewType = (typeof valueTypes)[number];

const valueAnswer = {
  value: Type.Optional(
    Type.String({
      description: "As text; lists and objects as JSON. References that have no value stay as written. Absent: there was no room",
    }),
  ),
  type: Type.Optional(stringEnum(valueTypes)),
  secret: Type.Optional(Type.Boolean({ description: "A secret is masked in it" })),
  truncated: Type.Optional(Type.Boolean({ description: `Only the first ${maxPreviewLength} characters are there, or none` })),
};

export interface PreviewValue extends Static<typeof previewValue> {}
export const previewValue = named(
  "PreviewValue",
  Type.Object({
    ...valueAnswer,
    unknown: Type.Optional(Type.Array(ref(previewFinding), { description: "References to what does not exist" })),
    missing: Type.Optional(Type.Array(ref(previewFinding), { description: "References that have no value yet, or an empty one" })),
    from: Type.Optional(
      Type.Array(
        Type.Object({
          task: Type.String(),
          pinned: Type.Optional(Type.Boolean()),
          run: Type.Optional(Type.String({ description: "ID of the run that left the result" })),
        }),
        { description: "Where the results in it come from" },
      ),
    ),
  }),
);

/** The result of a loop's condition after the round that is known. */
export interface PreviewLoop extends Static<typeof previewLoop> {}
export const previewLoop = named(
  "PreviewLoop",
  Type.Object({
    rounds: Type.Integer({ description: "How many rounds came before; 0: it is checked before the first one" }),
    value: Type.Optional(Type.String({ description: "The value that the condition checks. Absent if it is not known yet" })),
    holds: Type.Optional(Type.Boolean({ description: "Whether one of the patterns matches it" })),
    ends: Type.Optional(Type.Boolean({ description: "Whether the loop is over then" })),
    why: Type.Optional(Type.String({ description: "Why it is not known" })),
  }),
);

/** The value of the list of a forEach. */
export interface PreviewItems extends Static<typeof previewItems> {}
export const previewItems = named(
  "PreviewItems",
  Type.Object({
    count: Type.Optional(Type.Integer({ description: "Of items, or of batches. Absent if it is not known yet" })),
    first: Type.Optional(Type.String({ description: "The first one as text, cut at 200 characters" })),
    why: Type.Optional(Type.String({ description: "Why it is not known, or can't be" })),
  }),
);

export const referenceKinds = ["parameter", "result", "system"] as const;

export interface PreviewReference extends Static<typeof previewReference> {}
export const previewReference = named(
  "PreviewReference",
  Type.Object({
    reference: Type.String({ examples: ["$(params.city)"] }),
    kind: stringEnum(referenceKinds),
    layer: Type.Optional(Type.String({ description: "Of a parameter: task, workflow, team or global" })),
    task: Type.Optional(Type.String({ description: "Of a result" })),
    type: Type.Optional(Type.String({ description: "Of a parameter as declared, or of the value" })),
    lastValue: Type.Optional(Type.String({ description: "As text, cut at 200 characters" })),
    secret: Type.Optional(Type.Boolean()),
    pinned: Type.Optional(Type.Boolean()),
  }),
);

export interface WorkflowPreview extends Static<typeof workflowPreview> {}
export const workflowPreview = named(
  "WorkflowPreview",
  Type.Object(
    {
      values: Type.Array(ref(previewValue), { description: "In the order of the expressions" }),
      conditions: Type.Optional(
        Type.Array(
          Type.Object({
            value: Type.Optional(Type.String({ description: "Absent if it is not known yet" })),
            taken: Type.Optional(Type.Array(Type.Boolean(), { description: "For each of the patterns" })),
            why: Type.Optional(Type.String({ description: "Why it is not known" })),
          }),
        ),
      ),
      loop: Type.Optional(ref(previewLoop)),
      items: Type.Optional(ref(previewItems)),
      references: Type.Optional(
        Type.Array(ref(previewReference), { description: "Parameters first, then results, then what the system sets" }),
      ),
    },
    {
      examples: [
        {
          values: [
            { value: "Hello Oslo", type: "text" },
            { value: "$(params.ctiy)", type: "text", unknown: [{ reference: "$(params.ctiy)", why: 'there is no parameter "ctiy"' }] },
          ],
        },
      ],
    },
  ),
);
