import { Button, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useBlocker } from "@tanstack/react-router";
import { useState } from "react";
import { messageOf } from "../../../api/api-error.ts";
import { api, call } from "../../../api/client.ts";
import { type SettingGroup, settingsQuery } from "../../../api/queries/settings.ts";
import { HowTo } from "../../../components/how-to/how-to.tsx";
import { curlCommand } from "../../../components/how-to/set-up-command.ts";
import { useRights } from "../../../hooks/use-caller.ts";
import { useRenew } from "../../../hooks/use-renew.ts";
import { useSearchState } from "../../../hooks/use-search-state.ts";
import { t } from "../../../texts/administration.ts";
import { ActionButton } from "../../../ui/dialog/action-button.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { NotLoaded } from "../../../ui/state/not-loaded.tsx";
import { TimeText } from "../../../ui/time/time-text.tsx";
import { changedSettings, type Drafts, pathOf, secretsToRepeat, whyRepeat } from "./changed-settings.ts";
import { CodeWords } from "./code-words.tsx";
import { GroupTabs } from "./group-tabs.tsx";
import { SettingField } from "./setting-field.tsx";
import classes from "./settings.module.css";

const commands = [
  { label: t("settingsSection.readAllSettings"), command: curlCommand("GET", "/api/v2/settings") },
  {
    label: t("settingsSection.changeSetting"),
    command: curlCommand("PUT", "/api/v2/settings", [{ key: "teams", config: [{ key: "max.workflowrun.concurrent", value: "8" }] }]),
  },
];

/** What the instance goes by, group by group. What was typed is kept while one looks at other groups, and saved together. */
export function SettingsSection() {
  const query = useQuery(settingsQuery);
  if (query.data === undefined)
    return (
      <>
        <PageHeader title={t("settingsSection.settings")} />
        <NotLoaded query={query} label={t("settingsSection.loadingSettings")} />
      </>
    );
  // Those have a section of their own.
  return <SettingsForms groups={query.data.filter(({ key }) => key !== "features")} />;
}

function SettingsForms({ groups }: { groups: readonly SettingGroup[] }) {
  const [drafts, setDrafts] = useState<Drafts>({});
  const [{ group }, change] = useSearchState({ group: "" });
  const chosen = groups.find(({ key }) => key === group) ?? groups[0];
  const { wanted, count } = changedSettings(groups, drafts);
  const missing = secretsToRepeat(groups, drafts);
  const save = useSave(() => setDrafts({}));
  const whyNot = useRights().whyNot("system/write");
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      count > 0 && current.pathname !== next.pathname && !window.confirm(t("settingsSection.leaveWithoutSaving")),
    enableBeforeUnload: count > 0,
  });
  return (
    <>
      <PageHeader title={t("settingsSection.settings")} detail={t("settingsSection.changesTakeEffectWithin")}>
        <HowTo title={t("settingsSection.settingsApi")} commands={commands} />
        {count > 0 && (
          <Button size="xs" variant="default" onClick={() => setDrafts({})}>
            {t("settingsSection.discard")}
          </Button>
        )}
        <ActionButton size="xs" loading={save.isPending} whyNot={whyNot ?? whyNotSave(count, missing)} onClick={() => save.mutate(wanted)}>
          {count === 0 ? t("settingsSection.save") : t("settingsSection.save1ChangeSave", { count })}
        </ActionButton>
      </PageHeader>
      {save.error !== null && (
        <Text role="alert" px="md" pb="sm" c="var(--status-failed)">
          {messageOf(save.error)}
        </Text>
      )}
      <div className={classes.columns}>
        <GroupTabs
          groups={groups}
          drafts={drafts}
          chosen={chosen?.key ?? ""}
          onChoose={(key) => change({ group: key }, { replace: false })}
        />
        {chosen && (
          <GroupForm
            key={chosen.key}
            group={chosen}
            drafts={drafts}
            isReadOnly={whyNot !== undefined}
            onChange={(path, value) => setDrafts((present) => ({ ...present, [path]: value }))}
          />
        )}
      </div>
    </>
  );
}

function whyNotSave(count: number, missing: readonly string[]): string | undefined {
  if (count === 0) return t("settingsSection.noUnsavedChanges");
  return missing.length === 0 ? undefined : t("settingsSection.addressHasChangedEnter", { missing: missing.join(", ") });
}

function useSave(onDone: () => void) {
  const client = useQueryClient();
  const renew = useRenew();
  return useMutation({
    mutationFn: (wanted: SettingGroup[]) => call(api.PUT("/api/v2/settings", { body: wanted })),
    onSuccess: (answer) => {
      client.setQueryData(settingsQuery.queryKey, answer);
      void renew(["context", "features", "navigation"]);
      notifications.show({ message: t("settingsSection.settingsSaved") });
      onDone();
    },
  });
}

interface GroupFormProps {
  group: SettingGroup;
  drafts: Drafts;
  isReadOnly: boolean;
  onChange: (path: string, value: string) => void;
}

/** The settings of one group, each as the kind of field that it is. */
function GroupForm({ group, drafts, isReadOnly, onChange }: GroupFormProps) {
  return (
    <section className={classes.form} aria-label={group.name ?? group.key ?? ""}>
      <Stack gap={4}>
        <Title order={2}>{group.name}</Title>
        <Text size="sm" className="quiet">
          <CodeWords text={group.description} />{" "}
          {group.lastModified && (
            <>
              Last changed <TimeText at={group.lastModified} />.
            </>
          )}
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
