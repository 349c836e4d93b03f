import { Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { api, call } from "../../../api/client.ts";
import type { Team } from "../../../api/queries/all-teams.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";

/** Stops everything of a team, or lets it go on. */
export function TeamStatusDialog({ team, onClose }: { team: Team | undefined; onClose: () => void }) {
  const client = useQueryClient();
  const isActive = team?.status === "active";
  const change = async () => {
    if (team === undefined) return;
    const body = { status: isActive ? "inactive" : "active" };
    await call(api.PATCH("/api/v2/team/{team}", { params: { path: { team: team.id } }, body }));
    await client.invalidateQueries({ queryKey: ["teams"] });
  };
  return (
    <ConfirmDialog
      isOpen={team !== undefined}
      onClose={onClose}
      title={`${isActive ? "Deactivate" : "Activate"} ${team?.displayName ?? ""}`}
      deed={isActive ? "Deactivate the team" : "Activate the team"}
      isDangerous={isActive}
      onConfirm={change}
    >
      <Text>
        {isActive
          ? "Nothing of it starts any more: no run, no schedule, no webhook. Its members still read everything, and it can be activated again."
          : "Its workflows run again, and its schedules fire from now on."}
      </Text>
    </ConfirmDialog>
  );
}
