import { Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useRights } from "../../hooks/use-caller.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { DeleteTeamDialog } from "./delete-team-dialog.tsx";
import classes from "./manage.module.css";
import { RetentionForm } from "./retention-form.tsx";
import { TeamForm } from "./team-form.tsx";
import type { Team } from "./team-types.ts";

/** What the team is called and how it is labelled, whether it runs, and its end. */
export function SettingsSection({ team }: { team: Team }) {
  const rights = useRights(team.name);
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Stack gap="lg" className={classes.narrow}>
      <TeamForm key={team.id} team={team} />
      <RetentionForm key={`retention ${team.id}`} team={team} />
      <section className={classes.danger} aria-labelledby="delete-team">
        <Stack gap="xs" align="flex-start">
          <Title order={2} id="delete-team">
            Delete team
          </Title>
          <Text size="sm">Deletes its workflows, runs, schedules, parameters and tokens. Only audit records are kept.</Text>
          <ActionButton color="red.8" size="xs" whyNot={rights.whyNot("team/delete")} onClick={() => setDeleting(true)}>
            Delete team
          </ActionButton>
        </Stack>
      </section>
      <DeleteTeamDialog team={team} isOpen={isDeleting} onClose={() => setDeleting(false)} />
    </Stack>
  );
}
