import { Box, Button, NavLink, Select, Stack, Text, Title } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useBlocker, useNavigate } from "@tanstack/react-router";
import { type SettingGroup, saveSettings, settingsQuery } from "../../../api/queries/instance-settings.ts";
import { HowTo } from "../../../components/how-to/how-to.tsx";
import { curlCommand } from "../../../components/how-to/set-up-command.ts";
import { useRights } from "../../../hooks/use-caller.ts";
import { useRenew } from "../../../hooks/use-renew.ts";
import { useSearchState } from "../../../hooks/use-search-state.ts";
import { paths } from "../../../paths.ts";
import { t } from "../../../texts/settings/administration.ts";
import { ActionButton } from "../../../ui/dialog/action-button.tsx";
import { FormRefusal, useSubmission } from "../../../ui/form/use-submission.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { NotLoaded } from "../../../ui/state/not-loaded.tsx";
import { TimeText } from "../../../ui/time/time-text.tsx";
import { changedSettings, type Drafts, draftOfFault, pathOf, secretsToRepeat, whyRepeat } from "./changed-settings.ts";
import { MailTrial } from "./mail-trial.tsx";
import { CodeWords, SettingField } from "./setting-field.tsx";
import classes from "./settings.module.css";

interface GroupTabsProps {
  groups: readonly SettingGroup[];
  drafts: Drafts;
  chosen: string;
  onChoose: (key: string) => void;
}

/**
 * The groups of settings, with a mark on those that have unsaved changes. Beside the form, or above it as a select field where space is
 * short.
 */
function GroupTabs(props: GroupTabsProps) {
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
    const name = String(group.name);
    return { value: group.key ?? "", label: count > 0 ? t("groupTabs.notSavedLabel", { name, count }) : name };
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

const commands = [
  { label: t("settingsSection.readAllSettings"), command: curlCommand("GET", "/api/v2/settings") },
  {
    label: t("settingsSection.changeSetting"),
    command: curlCommand("PUT", "/api/v2/settings", [{ key: "teams", config: [{ key: "max.workflowrun.concurrent", value: "8" }] }]),
  },
];

/** The settings of the instance by group. Unsaved changes are kept while the user looks at other groups, and all are saved together. */
export function SettingsSection() {
  const query = useQuery(settingsQuery);
  if (query.data === undefined)
    return (
      <>
        <PageHeader title={t("settingsSection.settings")} />
        <NotLoaded query={query} label={t("settingsSection.loadingSettings")} />
      </>
    );
  // Features have their own section.
  return <SettingsForms groups={query.data.filter(({ key }) => key !== "features")} />;
}

function SettingsForms({ groups }: { groups: readonly SettingGroup[] }) {
  const form = useForm<Record<string, string>>({ initialValues: {} });
  const drafts = form.values;
  const [{ group }, change] = useSearchState({ group: "" });
  const chosen = groups.find(({ key }) => key === group) ?? groups[0];
  const { wanted, count } = changedSettings(groups, drafts);
  const missing = secretsToRepeat(groups, drafts);
  const save = useSave();
  const whyNot = useRights().whyNot("system/write");
  const why = whyNot ?? whyNotSave(count, missing);
  const { submit, isPending, refusal } = useSubmission({
    form,
    onSubmit: () => save(wanted),
    onDone: form.reset,
    places: (fault) => draftOfFault(fault, wanted),
  });
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      count > 0 && current.pathname !== next.pathname && !window.confirm(t("settingsSection.leaveWithoutSaving")),
    enableBeforeUnload: count > 0,
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (why === undefined) submit(event);
      }}
    >
      <PageHeader title={t("settingsSection.settings")} detail={t("settingsSection.changesTakeEffectWithin")}>
        <HowTo title={t("settingsSection.settingsApi")} commands={commands} />
        {count > 0 && (
          <Button size="xs" variant="default" onClick={form.reset}>
            {t("settingsSection.discard")}
          </Button>
        )}
        <ActionButton type="submit" size="xs" loading={isPending} whyNot={why}>
          {count === 0 ? t("settingsSection.save") : t("settingsSection.save1ChangeSave", { count })}
        </ActionButton>
      </PageHeader>
      {refusal !== undefined && (
        <Box px="md" pb="sm">
          <FormRefusal message={refusal} />
        </Box>
      )}
      <div className={classes.columns}>
        <GroupTabs
          groups={groups}
          drafts={drafts}
          chosen={chosen?.key ?? ""}
          onChoose={(key) => change({ group: key }, { replace: false })}
        />
        {chosen && <GroupForm key={chosen.key} group={chosen} form={form} whyNot={whyNot} />}
      </div>
    </form>
  );
}

function whyNotSave(count: number, missing: readonly string[]): string | undefined {
  if (count === 0) return t("settingsSection.noUnsavedChanges");
  return missing.length === 0 ? undefined : t("settingsSection.addressHasChangedEnter", { missing: missing.join(", ") });
}

function useSave() {
  const client = useQueryClient();
  const renew = useRenew();
  return async (wanted: SettingGroup[]) => {
    client.setQueryData(settingsQuery.queryKey, await saveSettings(wanted));
    void renew(["context", "features", "navigation", "caller"]);
    notifications.show({ message: t("settingsSection.settingsSaved") });
  };
}

/** Why no test message can be sent: it uses the saved settings, which must name a server and a sender. */
function whyNotMail({ config }: SettingGroup, changes: number): string | undefined {
  if (changes > 0) return t("mailTrial.saveFirst");
  const isSet = (wanted: string) => Boolean(config?.find(({ key }) => key === wanted)?.value);
  return isSet("host") && isSet("from") ? undefined : t("mailTrial.setFirst");
}

interface GroupFormProps {
  group: SettingGroup;
  form: UseFormReturnType<Record<string, string>>;
  /** Why the settings can't be edited. */
  whyNot: string | undefined;
}

/** The settings of one group, each with the kind of field it needs. */
function GroupForm({ group, form, whyNot }: GroupFormProps) {
  const { count } = changedSettings([group], form.values);
  return (
    <section className={classes.form} aria-label={group.name ?? group.key ?? ""}>
      <Stack gap={4}>
        <Title order={2}>{group.name}</Title>
        <Text size="sm" className="quiet">
          <CodeWords text={group.description} />{" "}
          {group.lastModified && <>{t.rich("settingsSection.lastChanged", { time: () => <TimeText at={group.lastModified} /> })}</>}
        </Text>
      </Stack>
      {(group.config ?? []).map((setting) => (
        <SettingField
          key={setting.key}
          setting={setting}
          draft={form.values[pathOf(group, setting)]}
          moved={whyRepeat(group, setting, form.values)}
          refused={form.errors[pathOf(group, setting)]}
          isReadOnly={whyNot !== undefined}
          onChange={(value) => form.setFieldValue(pathOf(group, setting), value)}
        />
      ))}
      {group.key === "mail" && <MailTrial whyNot={whyNot ?? whyNotMail(group, count)} />}
    </section>
  );
}
