import { Box, NavLink, Select } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import type { SettingGroup } from "../../../api/queries/settings.ts";
import { paths } from "../../../paths.ts";
import { t } from "../../../texts/administration.ts";
import { changedSettings, type Drafts } from "./changed-settings.ts";
import classes from "./settings.module.css";

interface GroupTabsProps {
  groups: readonly SettingGroup[];
  drafts: Drafts;
  chosen: string;
  onChoose: (key: string) => void;
}

/** The groups; those with something that is not saved say so. Beside the form, or where there is no room for that, in a field above it. */
export function GroupTabs(props: GroupTabsProps) {
  return (
    <>
      <Box component="nav" visibleFrom="sm" aria-label={t("groupTabs.groupsSettings")} className={classes.groups}>
        <GroupLinks {...props} />
      </Box>
      <GroupChoice {...props} />
    </>
  );
}

const features = { name: t("groupTabs.features"), path: paths.admin("features") };

function GroupLinks({ groups, drafts, chosen, onChoose }: GroupTabsProps) {
  return (
    <>
      {groups.map((group) => {
        const { count } = changedSettings([group], drafts);
        return (
          <NavLink
            key={group.key}
            component="button"
            type="button"
            label={group.name}
            active={group.key === chosen}
            aria-current={group.key === chosen}
            className={classes.group}
            onClick={() => onChoose(group.key ?? "")}
            rightSection={count > 0 ? <span className={classes.count}>{t("groupTabs.notSaved", { count })}</span> : undefined}
          />
        );
      })}
      <NavLink component={Link} to={features.path} label={features.name} className={classes.group} />
    </>
  );
}

function GroupChoice({ groups, drafts, chosen, onChoose }: GroupTabsProps) {
  const navigate = useNavigate();
  const choices = groups.map((group) => {
    const { count } = changedSettings([group], drafts);
    return {
      value: group.key ?? "",
      label: t("groupTabs.notSavedLabel", { name: String(group.name), kind: count > 0 ? "yes" : "no", count }),
    };
  });
  return (
    <Select
      hiddenFrom="sm"
      label={t("groupTabs.groupSettings")}
      data={[...choices, { value: features.path, label: features.name }]}
      value={chosen}
      allowDeselect={false}
      maxDropdownHeight={320}
      onChange={(key) => (key === features.path ? void navigate({ to: key }) : key && onChoose(key))}
    />
  );
}
