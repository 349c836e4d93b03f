import { Select, Stack, Text, Tooltip } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { rolesQuery } from "../../api/queries/teams.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useChangeTeam } from "../../hooks/use-change-team.ts";
import { RefusalText } from "../../ui/state/refusal-text.tsx";
import classes from "./manage.module.css";
import type { Member } from "./team-types.ts";

/** A member's role, changed in place; what the service refuses stands below it. */
export function MemberRole({ team, member }: { team: string; member: Member }) {
  const rights = useRights(team);
  const { data: roles = [] } = useQuery(rolesQuery);
  const { mutate, error, isPending } = useChangeTeam(team);
  const why = rights.whyNot("team/write");
  if (why !== undefined)
    return (
      <Tooltip label={why} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
        <Text size="sm" span tabIndex={0}>
          {member.role}
        </Text>
      </Tooltip>
    );
  const choices = roles.map(({ name, permissions }) => ({
    value: name,
    label: name,
    disabled: !permissions.every((one) => rights.may(one)),
  }));
  return (
    <Stack gap={4}>
      <Select
        aria-label={`Role of ${member.email}`}
        size="xs"
        className={classes.role}
        data={choices}
        value={member.role ?? null}
        allowDeselect={false}
        disabled={isPending}
        onChange={(role) => role && mutate({ members: [{ id: member.id ?? null, role }] })}
      />
      <RefusalText error={error} />
    </Stack>
  );
}
