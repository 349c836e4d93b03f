import { NavLink } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { SettingGroup } from "../../../api/queries/settings.ts";
import { paths } from "../../../paths.ts";
import { changedSettings, type Drafts } from "./changed-settings.ts";
import classes from "./settings.module.css";

interface GroupTabsProps {
  groups: readonly SettingGroup[];
  drafts: Drafts;
  chosen: string;
  onChoose: (key: string) => void;
}

/** The groups; those with something that is not saved say so. */
export function GroupTabs({ groups, drafts, chosen, onChoose }: GroupTabsProps) {
  return (
    <nav aria-label="Groups of settings" className={classes.groups}>
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
            rightSection={count > 0 ? <span className={classes.count}>{count} not saved</span> : undefined}
          />
        );
      })}
      <NavLink component={Link} to={paths.admin("features")} label="Features" className={classes.group} />
    </nav>
  );
}
