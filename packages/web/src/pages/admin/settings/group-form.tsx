import { Stack, Text, Title } from "@mantine/core";
import type { SettingGroup } from "../../../api/queries/settings.ts";
import { t } from "../../../texts/administration.ts";
import { TimeText } from "../../../ui/time/time-text.tsx";
import { type Drafts, pathOf, whyRepeat } from "./changed-settings.ts";
import { CodeWords } from "./code-words.tsx";
import { SettingField } from "./setting-field.tsx";
import classes from "./settings.module.css";

interface GroupFormProps {
  group: SettingGroup;
  drafts: Drafts;
  isReadOnly: boolean;
  onChange: (path: string, value: string) => void;
}

/** The settings of one group, each as the kind of field that it is. */
export function GroupForm({ group, drafts, isReadOnly, onChange }: GroupFormProps) {
  return (
    <section className={classes.form} aria-label={group.name ?? group.key ?? ""}>
      <Stack gap={4}>
        <Title order={2}>{group.name}</Title>
        <Text size="sm" className="quiet">
          <CodeWords text={group.description} />{" "}
          {group.lastModified && <>{t.rich("groupForm.lastChanged", { time: () => <TimeText at={group.lastModified} /> })}</>}
        </Text>
      </Stack>
      {(group.config ?? []).map((setting) => (
        <SettingField
          key={setting.key}
          setting={setting}
          draft={drafts[pathOf(group, setting)]}
          moved={whyRepeat(group, setting, drafts)}
          isReadOnly={isReadOnly}
          onChange={(value) => onChange(pathOf(group, setting), value)}
        />
      ))}
    </section>
  );
}
