import Type, { type Static } from "typebox";
import { named, ref, stringEnum } from "../schema.ts";
import { runFilterMembers } from "./run-bulk.ts";
import { runSorts } from "./run-sort.ts";

/** Filters for the list of runs, saved under a name. */

export const viewScopes = ["own", "team"] as const;

const members = {
  name: Type.String({ minLength: 1, maxLength: 80 }),
  scope: stringEnum(viewScopes, { description: "own: only you see it; team: all members do" }),
  filter: Type.Object({
    ...runFilterMembers,
    since: Type.Optional(
      Type.String({ maxLength: 20, description: "A time relative to now, for the page that shows it", examples: ["24h"] }),
    ),
  }),
  order: Type.Optional(stringEnum(["ASC", "DESC"])),
  sortBy: Type.Optional(stringEnum(runSorts, { description: "What the runs are sorted by; without it by their date of creation" })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: "Runs on a page" })),
  columns: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 50 })),
};

export interface RunViewRequest extends Static<typeof runViewRequest> {}
export const runViewRequest = named(
  "RunViewRequest",
  Type.Object(members, {
    examples: [{ name: "Failed today", scope: "team", filter: { statuses: ["failed"], since: "24h" }, order: "DESC" }],
  }),
);

export interface RunView extends Static<typeof runView> {}
export const runView = named(
  "RunView",
  Type.Object({
    id: Type.String(),
    ...members,
    createdByName: Type.String({ description: "The name at that time" }),
    creationDate: Type.String(),
    mayChange: Type.Boolean({ description: "Whether you can change and delete it" }),
    isDefault: Type.Boolean({ description: "Whether the page opens with it for you" }),
  }),
);

export interface RunViews extends Static<typeof runViews> {}
export const runViews = named(
  "RunViews",
  Type.Object({ views: Type.Array(ref(runView), { description: "Those of the team, then your own, each by name" }) }),
);
