import { Text } from "@mantine/core";
import { api, call } from "../../../api/client.ts";
import type { Team } from "../../../api/queries/all-teams.ts";
import { useRenew } from "../../../hooks/use-renew.ts";
import { t } from "../../../texts/administration.ts";
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
      title={t("teamStatusDialog.deactivateActivate", { isActive: isActive ? "yes" : "no", displayName: team?.displayName ?? "" })}
      action={isActive ? t("teamStatusDialog.deactivateTeam") : t("teamStatusDialog.activateTeam")}
      isDangerous={isActive}
      onConfirm={change}
    >
      <Text>{isActive ? t("teamStatusDialog.noRunScheduleWebhook") : t("teamStatusDialog.workflowsRunAgainSchedules")}</Text>
    </ConfirmDialog>
  );
}
