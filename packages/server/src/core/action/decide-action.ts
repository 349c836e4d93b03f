/**
 * What the votes on an action come to. With one approval wanted the first vote decides. Otherwise it is approved once there are
 * enough approvals; rejected, without a group, by the first rejection, and with one as soon as those of the group who have not
 * voted yet are too few to reach it. Undefined while it is open.
 */
export interface Tally {
  wanted: number;
  approvals: number;
  rejections: number;
  /** Members of the approver group who have not voted; null without a group. */
  openVoters: number | null;
}

export function decideAction({ wanted, approvals, rejections, openVoters }: Tally): "approved" | "rejected" | undefined {
  if (approvals >= wanted) return "approved";
  if (rejections > 0 && (wanted === 1 || openVoters === null)) return "rejected";
  return openVoters !== null && approvals + rejections > 0 && approvals + openVoters < wanted ? "rejected" : undefined;
}
