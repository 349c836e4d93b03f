import { Group, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, call } from "../../api/client.ts";
import { featuresQuery } from "../../api/queries/session.ts";
import { defaultQuotasQuery } from "../../api/queries/teams.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { Notice } from "../../ui/state/notice.tsx";
import { TableBox } from "../../ui/table/table-box.tsx";
import { durationText } from "../../ui/time/time-format.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import { QuotaLimit } from "./quota-limit.tsx";
import { type QuotaRow, quotaRows } from "./quota-rows.ts";
import { QuotaUsage } from "./quota-usage.tsx";
import type { Team } from "./team-types.ts";

/** What the team may have, how much of it is used, and the limits themselves to change. */
export function QuotasSection({ team }: { team: Team }) {
  const renew = useRenew();
  const rights = useRights(team.name);
  const { data: defaults } = useQuery(defaultQuotasQuery);
  const { data: features } = useQuery(featuresQuery);
  const [isResetting, setResetting] = useState(false);
  const isOwn = defaults !== undefined && quotaRows.some(({ name }) => team.quotas[name] !== defaults[name]);
  const reset = async () => {
    await call(api.DELETE("/api/v2/team/{team}/quotas", { params: { path: { team: team.name } } }));
    await renew(["team"]);
  };
  return (
    <Stack gap="sm">
      {features?.features["team.quotas"] === false && (
        <Notice tone="info" title="Quotas are turned off">
          Limits are stored, but not enforced until an administrator turns on features/teamQuotas.
        </Notice>
      )}
      <Group justify="space-between" gap="xs">
        <Text size="sm" className="quiet">
          Resets <TimeText at={team.quotas.monthlyResetDate} />. Lowering a limit doesn't stop anything that already exists.
        </Text>
        <ActionButton
          size="xs"
          variant="default"
          whyNot={rights.whyNot("team/delete") ?? (isOwn ? undefined : "All limits already have their default values.")}
          onClick={() => setResetting(true)}
        >
          Reset to defaults
        </ActionButton>
      </Group>
      <TableBox label="Quotas" miw={640}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Quota</Table.Th>
            <Table.Th>Usage</Table.Th>
            <Table.Th>Limit</Table.Th>
            <Table.Th>Default</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {quotaRows.map((row) => (
            <QuotaTableRow key={row.name} row={row} team={team} byDefault={defaults?.[row.name] ?? undefined} />
          ))}
        </Table.Tbody>
      </TableBox>
      <ConfirmDialog
        isOpen={isResetting}
        onClose={() => setResetting(false)}
        title="Reset quotas"
        action="Reset to defaults"
        onConfirm={reset}
      >
        The team gets the instance's limits, even where its own are higher. Only an administrator can raise them again.
      </ConfirmDialog>
    </Stack>
  );
}

function QuotaTableRow({ row, team, byDefault }: { row: QuotaRow; team: Team; byDefault: number | undefined }) {
  const limit = team.quotas[row.name] ?? 0;
  const median = team.quotas.currentRunMedianDuration;
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={500}>
          {row.title}
        </Text>
        <Text size="xs" className="quiet">
          {row.hint}
        </Text>
      </Table.Td>
      <Table.Td>
        {row.used && <QuotaUsage used={row.used(team.quotas)} limit={limit} />}
        {row.name === "maxWorkflowRunDuration" && (
          <Text size="sm" className="quiet">
            {median === 0 ? "No finished runs this month" : `This month's median is ${durationText(median)}`}
          </Text>
        )}
        {row.unit === "GiB" && (
          <Text size="sm" className="quiet">
            Applies to each one
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <QuotaLimit team={team.name} row={row} limit={limit} byDefault={byDefault} />
      </Table.Td>
      <Table.Td className="quiet" style={{ whiteSpace: "nowrap" }}>
        {byDefault === undefined ? "–" : `${byDefault} ${row.unit}`}
      </Table.Td>
    </Table.Tr>
  );
}
