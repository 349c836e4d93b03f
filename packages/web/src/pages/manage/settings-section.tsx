import { Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useRights } from "../../hooks/use-caller.ts";
import { DeedButton } from "../../ui/deed-button.tsx";
import { DeleteTeamDialog } from "./delete-team-dialog.tsx";
import classes from "./manage.module.css";
import { TeamForm } from "./team-form.tsx";
import type { Team } from "./team-types.ts";

/** What the team is called and how it is labelled, whether it runs, and its end. */
export function SettingsSection({ team }: { team: Team }) {
  const rights = useRights(team.name);
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Stack gap="lg" className={classes.narrow}>
      <TeamForm key={team.id} team={team} />
      <section className={classes.danger} aria-labelledby="delete-team">
        <Stack gap="xs" align="flex-start">
          <Title order={2} id="delete-team">
            Delete the team
          </Title>
          <Text size="sm">Its workflows, runs, schedules, parameters and tokens go with it. Only the audit records stay.</Text>
          <DeedButton color="red.8" size="xs" whyNot={rights.whyNot("team/delete")} onClick={() => setDeleting(true)}>
            Delete the team
          </DeedButton>
        </Stack>
      </section>
      <DeleteTeamDialog team={team} isOpen={isDeleting} onClose={() => setDeleting(false)} />
    </Stack>
  );
}
