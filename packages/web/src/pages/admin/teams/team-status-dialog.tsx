import { Text } from "@mantine/core";
import { api, call } from "../../../api/client.ts";
import type { Team } from "../../../api/queries/all-teams.ts";
import { useRenew } from "../../../hooks/use-renew.ts";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";

/** Stops everything of a team, or lets it go on. */
export function TeamStatusDialog({ team, onClose }: { team: Team | undefined; onClose: () => void }) {
  const renew = useRenew();
  const isActive = team?.status === "active";
  const change = async () => {
    if (team === undefined) return;
    const body = { status: isActive ? "inactive" : "active" };
    await call(api.PATCH("/api/v2/team/{team}", { params: { path: { team: team.id } }, body }));
    await renew(["teams"]);
  };
  return (
    <ConfirmDialog
      isOpen={team !== undefined}
      onClose={onClose}
      title={`${isActive ? "Deactivate" : "Activate"} ${team?.displayName ?? ""}`}
      action={isActive ? "Deactivate team" : "Activate team"}
      isDangerous={isActive}
      onConfirm={change}
    >
      <Text>
        {isActive
          ? "No run, schedule or webhook of the team can start. Members can still read everything. You can activate the team again."
          : "Workflows can run again, and schedules resume."}
      </Text>
    </ConfirmDialog>
  );
}
