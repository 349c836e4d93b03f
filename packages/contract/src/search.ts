import Type, { type Static } from "typebox";
import { named, ref, stringEnum } from "./schema.ts";

/** The kinds of results of the global search. */

export const searchKinds = ["team", "workflow", "task", "template"] as const;
export type SearchKind = (typeof searchKinds)[number];

export interface SearchHit extends Static<typeof searchHit> {}
export const searchHit = named(
  "SearchHit",
  Type.Object({
    kind: stringEnum(searchKinds),
    id: Type.String(),
    name: Type.String(),
    displayName: Type.String(),
    teamName: Type.Union([Type.String(), Type.Null()], {
      description: "Of its team; null for a team itself, a global task or a template",
    }),
    teamDisplayName: Type.Union([Type.String(), Type.Null()]),
    status: Type.Unsafe<"active" | "inactive" | null>({
      type: ["string", "null"],
      enum: ["active", "inactive", null],
      description: "Templates have none",
    }),
  }),
);

export interface SearchResult extends Static<typeof searchResult> {}
const example = {
  kind: "workflow",
  id: "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
  name: "nightly-report",
  displayName: "Nightly report",
  teamName: "hawks",
  teamDisplayName: "Hawks",
  status: "active",
};
export const searchResult = named(
  "SearchResult",
  Type.Object(
    {
      hits: Type.Array(ref(searchHit), {
        description: "By kind, in the order team, workflow, task, template; within a kind the best first",
      }),
    },
    { examples: [{ hits: [example] }] },
  ),
);
