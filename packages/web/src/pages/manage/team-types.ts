import type { components } from "../../api/schema.generated.ts";

export type Team = components["schemas"]["Team"];
export type Member = components["schemas"]["TeamMember"];
export type ApproverGroup = components["schemas"]["ApproverGroup"];
