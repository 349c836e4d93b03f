import { api, call } from "../../api/client.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import type { Member, Team } from "./team-types.ts";

/** Asks before somebody loses the team. @param member undefined: closed */
export function RemoveMemberDialog({ team, member, onClose }: { team: Team; member: Member | undefined; onClose: () => void }) {
  const renew = useRenew();
  const remove = async () => {
    await call(api.DELETE("/api/v2/team/{team}/members", { params: { path: { team: team.name } }, body: [{ id: member?.id ?? null }] }));
    await renew(["team"]);
  };
  return (
    <ConfirmDialog
      isOpen={member !== undefined}
      onClose={onClose}
      title={`Remove ${member?.email ?? ""}`}
      action="Remove member"
      isDangerous
      onConfirm={remove}
    >
      They lose access immediately and leave the team's approver groups. What they created stays, including team tokens.
    </ConfirmDialog>
  );
}
