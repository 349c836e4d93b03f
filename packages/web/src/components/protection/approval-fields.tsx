import { Anchor, NumberInput, Select, Text } from "@mantine/core";
import type { GetInputPropsReturnType } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { teamQuery } from "../../api/queries/identity/session.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/workflow/protection.ts";
import type { ApprovalValues } from "./approval-form.ts";

interface ApprovalFieldsProps {
  team: string;
  /** `form.getInputProps` */
  field: (name: keyof ApprovalValues) => GetInputPropsReturnType;
  isDisabled: boolean;
}

/** Selects the group that approves and the number of approvals; without any group, links to where groups are created. */
export function ApprovalFields({ team, field, isDisabled }: ApprovalFieldsProps) {
  const { data } = useQuery(teamQuery(team));
  const groups = data?.approverGroups ?? [];
  const { value, onChange, ...group } = field("approverGroup");
  const chosen = groups.find(({ id }) => id === value);
  return (
    <>
      {data !== undefined && groups.length === 0 && (
        <Text size="sm">
          {t.rich("approvalFields.noGroups", {
            link: (chunks) => (
              <Anchor component={Link} inherit to={paths.manage(team, "approvers")}>
                {chunks}
              </Anchor>
            ),
          })}
        </Text>
      )}
      <Select
        label={t("approvalFields.group")}
        description={t("approvalFields.groupHelp")}
        placeholder={t("approvalFields.groupPlaceholder")}
        required
        data={groups.map(({ id, name }) => ({ value: id, label: name }))}
        disabled={isDisabled}
        allowDeselect={false}
        {...group}
        value={value || null}
        onChange={(id) => onChange(id ?? "")}
      />
      <NumberInput
        label={t("approvalFields.approvals")}
        description={chosen && t("approvalFields.approvalsHelp", { count: chosen.approvers.length })}
        min={1}
        max={100}
        allowDecimal={false}
        disabled={isDisabled}
        {...field("approvalsRequired")}
      />
    </>
  );
}
