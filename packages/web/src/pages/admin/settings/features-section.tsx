import { Anchor, Box, Switch, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { messageOf } from "../../../api/api-error.ts";
import { type SettingConfig, saveSettings, settingsQuery } from "../../../api/queries/instance-settings.ts";
import { HowTo } from "../../../components/how-to/how-to.tsx";
import { curlCommand } from "../../../components/how-to/set-up-command.ts";
import { useRights } from "../../../hooks/use-caller.ts";
import { useRenew } from "../../../hooks/use-renew.ts";
import { paths } from "../../../paths.ts";
import { t } from "../../../texts/settings/administration.ts";
import { PageHeader } from "../../../ui/page-header.tsx";
import { NotLoaded } from "../../../ui/state/not-loaded.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import { CodeWords } from "./setting-field.tsx";

const commands = [
  { label: t("featuresSection.listFeatures"), command: curlCommand("GET", "/api/v2/features") },
  {
    label: t("featuresSection.turnOff"),
    command: curlCommand("PUT", "/api/v2/settings", [{ key: "features", config: [{ key: "insights", value: "false" }] }]),
  },
];

/** The optional features of the instance. Each switch takes effect at once, for all users. */
export function FeaturesSection() {
  const query = useQuery(settingsQuery);
  const { data } = query;
  const set = useSetFeature();
  const group = data?.find(({ key }) => key === "features");
  return (
    <>
      <PageHeader
        title={t("featuresSection.features")}
        detail={t.rich("featuresSection.changesTakeEffectImmediately", {
          link: (chunks) => (
            <Anchor size="sm" component={Link} to={paths.admin("settings")}>
              {chunks}
            </Anchor>
          ),
        })}
      >
        <HowTo title={t("featuresSection.featuresApi")} commands={commands} />
      </PageHeader>
      {set.error !== null && (
        <Text role="alert" px="md" pb="sm" c="var(--status-failed)">
          {messageOf(set.error)}
        </Text>
      )}
      {group && <FeatureTable features={group.config ?? []} isBusy={set.isPending} onSet={(key, isOn) => set.mutate({ key, isOn })} />}
      <NotLoaded query={query} label={t("featuresSection.loadingFeatures")} />
    </>
  );
}

interface FeatureTableProps {
  features: readonly SettingConfig[];
  isBusy: boolean;
  onSet: (key: string, isOn: boolean) => void;
}

function FeatureTable({ features, isBusy, onSet }: FeatureTableProps) {
  const whyNot = useRights().whyNot("system/write");
  const columns: Column<SettingConfig>[] = [
    {
      title: t("featuresSection.feature"),
      width: 200,
      cell: ({ key, label, value }) => (
        <Switch
          label={label ?? key}
          checked={value === "true"}
          disabled={isBusy || whyNot !== undefined}
          onChange={(event) => onSet(key, event.currentTarget.checked)}
        />
      ),
    },
    {
      title: t("featuresSection.description"),
      cell: ({ description }) => (
        <span className="quiet">
          <CodeWords text={description} /> {whyNot}
        </span>
      ),
    },
  ];
  return (
    <Box px="md" pb="lg">
      <DataTable label={t("featuresSection.features")} minWidth={560} columns={columns} rows={features} keyOf={({ key }) => key} />
    </Box>
  );
}

function useSetFeature() {
  const client = useQueryClient();
  const renew = useRenew();
  return useMutation({
    mutationFn: ({ key, isOn }: { key: string; isOn: boolean }) =>
      saveSettings([{ key: "features", config: [{ key, value: String(isOn) }] }]),
    onSuccess: (answer) => {
      client.setQueryData(settingsQuery.queryKey, answer);
      void renew(["features", "navigation"]);
    },
  });
}
