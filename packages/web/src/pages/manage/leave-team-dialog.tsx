import { useNavigate } from "@tanstack/react-router";
import { api, call } from "../../api/client.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { paths } from "../../paths.ts";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import type { Team } from "./team-types.ts";

/** Asks before one leaves the team oneself; the way goes home then. */
export function LeaveTeamDialog({ team, isOpen, onClose }: { team: Team; isOpen: boolean; onClose: () => void }) {
  const renew = useRenew();
  const navigate = useNavigate();
  const leave = async () => {
    await call(api.DELETE("/api/v2/team/{team}/leave", { params: { path: { team: team.name } } }));
    await navigate({ to: paths.home() });
    await renew(["caller", "teams"]);
  };
  return (
    <ConfirmDialog isOpen={isOpen} onClose={onClose} title={`Leave ${team.displayName}`} action="Leave team" isDangerous onConfirm={leave}>
      You lose access immediately and leave the team's approver groups. Only an owner can add you again.
    </ConfirmDialog>
  );
}
