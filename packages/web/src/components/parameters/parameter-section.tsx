import { ActionIcon, CopyButton, Group, Text, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy, IconLock, IconShieldLock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, call } from "../../api/client.ts";
import { globalParametersQuery, type Parameter, teamQuery } from "../../api/queries/identity/session.ts";
import { protectedGlobalSecretsQuery, teamProtectionQuery } from "../../api/queries/workflow/protection.ts";
import { isSecret, kindWord } from "../../forms/parameter-kinds.ts";
import { textOf } from "../../forms/parameter-values.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useApiMutation, useRenew } from "../../hooks/use-renew.ts";
import { t } from "../../texts/parameters.ts";
import { t as guards } from "../../texts/workflow/protection.ts";
import { ActionButton, EditAndDelete } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { ListSection } from "../../ui/list/list-page.tsx";
import { EmptyState } from "../../ui/state/notice.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { InstanceSecretDialog } from "./instance-secret-dialog.tsx";
import { ParameterDialog } from "./parameter-dialog.tsx";
import classes from "./parameters.module.css";
import { SecretProtectionDialog } from "./secret-protection-dialog.tsx";

type Layer = "team" | "global";

/**
 * Parameters and secrets of a team or, without a team, of the instance: list, create, edit and delete them. Secrets can be written but
 * never read.
 */
export function ParameterSection({ team }: { team?: string }) {
  const { query, save, remove, whyNotWrite, whyNotDelete, whyNotGuard } = useParameters(team);
  const [edited, setEdited] = useState<Parameter | "new">();
  const [deleted, setDeleted] = useState<Parameter>();
  const [guarded, setGuarded] = useState<string>();
  const ofTeam = useQuery({ ...teamProtectionQuery(team ?? ""), enabled: team !== undefined });
  const ofInstance = useQuery({ ...protectedGlobalSecretsQuery, enabled: team === undefined });
  const secrets = team === undefined ? ofInstance.data : ofTeam.data?.secrets;
  const isProtected = (name: string) => secrets?.some((secret) => secret.name === name) === true;
  const parameters = query.data?.toSorted((one, other) => one.name.localeCompare(other.name));
  const known = edited === "new" ? undefined : edited;
  const layer: Layer = team === undefined ? "global" : "team";
  const add = (
    <ActionButton size="xs" whyNot={whyNotWrite} onClick={() => setEdited("new")}>
      {t("parameterSection.addParameter")}
    </ActionButton>
  );
  const hasSome = parameters !== undefined && parameters.length > 0;
  const actions: Column<Parameter> = {
    title: t("parameterSection.actions"),
    kind: "actions",
    cell: (parameter) => (
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        {isSecret(parameter) && (
          <ActionButton
            size="compact-xs"
            variant="default"
            whyNot={whyNotGuard}
            aria-label={guards("secretProtection.protectionOf", { name: parameter.name })}
            onClick={() => setGuarded(parameter.name)}
          >
            {guards("secretProtection.protection")}
          </ActionButton>
        )}
        <EditAndDelete
          of={parameter.name}
          whyNotEdit={whyNotWrite}
          whyNotDelete={whyNotDelete}
          onEdit={() => setEdited(parameter)}
          onDelete={() => setDeleted(parameter)}
        />
      </Group>
    ),
  };
  return (
    <ListSection note={hasSome && t("parameterSection.runsUseValuesSubmission")} actions={hasSome && add}>
      <DataTable
        label={t("parameterSection.parameters")}
        minWidth={640}
        columns={[...parameterColumns(layer, isProtected), actions]}
        query={query}
        rows={parameters}
        keyOf={({ name }) => name}
        empty={
          <EmptyState title={t("parameterSection.noParametersYet")}>
            <Text className="quiet">
              {t.rich("parameterSection.sharedValuesSecretsTasks", { code: () => <code>$({layer}.params.NAME)</code> })}
            </Text>
            {add}
          </EmptyState>
        }
      />
      {edited !== undefined && (
        <ParameterDialog
          isGlobal={team === undefined}
          known={known}
          taken={(parameters ?? []).map(({ name }) => name)}
          onSave={(parameter) => save.mutateAsync({ parameter, isNew: known === undefined })}
          onClose={() => setEdited(undefined)}
        />
      )}
      {team !== undefined && guarded !== undefined && (
        <SecretProtectionDialog team={team} name={guarded} onClose={() => setGuarded(undefined)} />
      )}
      {team === undefined && guarded !== undefined && <InstanceSecretDialog name={guarded} onClose={() => setGuarded(undefined)} />}
      <ConfirmDialog
        isOpen={deleted !== undefined}
        onClose={() => setDeleted(undefined)}
        title={t("parameterSection.delete", { name: deleted?.name ?? "" })}
        action={t("parameterSection.deleteParameter")}
        isDangerous
        onConfirm={() => remove(deleted?.name ?? "")}
      >
        {t("parameterSection.runsSubmittedNowCant")}
      </ConfirmDialog>
    </ListSection>
  );
}

/** A secret only shows that it has a value. */
function parameterColumns(layer: Layer, isProtected: (name: string) => boolean): Column<Parameter>[] {
  return [
    { title: t("parameterSection.name"), width: 240, cell: (parameter) => <Name parameter={parameter} layer={layer} /> },
    {
      title: t("parameterSection.type"),
      kind: "short",
      cell: ({ type, teams }) => (
        <>
          {kindWord(type)}
          {teams && (
            <Text size="xs" className="quiet">
              {teamsText(teams)}
            </Text>
          )}
        </>
      ),
    },
    { title: t("parameterSection.value"), cell: (parameter) => <Value parameter={parameter} isProtected={isProtected(parameter.name)} /> },
  ];
}

/** The teams that can use a global parameter, if it is limited. */
function teamsText(teams: readonly string[]): string {
  return teams.length === 0 ? t("parameterSection.notAvailableAnyTeam") : t("parameterSection.onlyTeamTeams", { count: teams.length });
}

function Name({ parameter: { name, label, description }, layer }: { parameter: Parameter; layer: Layer }) {
  const reference = /^[\w -]+$/.test(name) ? `$(${layer}.params.${name})` : `$(${layer}.params['${name}'])`;
  return (
    <>
      <Group gap={4} wrap="nowrap">
        <Text size="sm" fw={500} className="code">
          {name}
        </Text>
        <CopyButton value={reference}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? t("parameterSection.copied") : t("parameterSection.copy", { reference })}>
              <ActionIcon size="xs" variant="subtle" color="gray" aria-label={t("parameterSection.copyReference", { name })} onClick={copy}>
                {copied ? <IconCheck size={12} /> : <IconCopy size={12} />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      </Group>
      {(label || description) && (
        <Text size="xs" className="quiet">
          {[label, description].filter(Boolean).join(" · ")}
        </Text>
      )}
    </>
  );
}

function Value({ parameter, isProtected }: { parameter: Parameter; isProtected: boolean }) {
  if (isSecret(parameter))
    return (
      <span className={classes.secret}>
        <IconLock size={14} aria-hidden /> {parameter.hiddenValue ? t("parameterSection.hidden") : t("parameterSection.notSet")}
        {isProtected && (
          <>
            <IconShieldLock size={14} aria-hidden /> {guards("secretProtection.protected")}
          </>
        )}
      </span>
    );
  const text = textOf(parameter.value ?? parameter.default);
  if (text === "") return <span className="quiet">{t("parameterSection.empty")}</span>;
  return (
    <div className={classes.value} title={text}>
      {text}
    </div>
  );
}

/** The parameters of a team or, without a team, of the instance: the same actions through different endpoints. */
function useParameters(team: string | undefined) {
  const renew = useRenew();
  const rights = useRights(team);
  const ofTeam = useQuery({ ...teamQuery(team ?? ""), enabled: team !== undefined, select: ({ parameters }) => parameters });
  const ofInstance = useQuery({ ...globalParametersQuery, enabled: team === undefined });
  const changes = [team === undefined ? "global-parameters" : "team"] as const;
  const save = useApiMutation({
    changes,
    mutationFn: ({ parameter, isNew }: { parameter: Parameter; isNew: boolean }): Promise<unknown> => {
      if (team !== undefined)
        return call(api.PATCH("/api/v2/team/{team}", { params: { path: { team } }, body: { parameters: [parameter] } }));
      return isNew ? call(api.POST("/api/v2/parameters", { body: parameter })) : call(api.PUT("/api/v2/parameters", { body: parameter }));
    },
    // It contains the plain text of a secret, which must not be kept.
    gcTime: 0,
  });
  const remove = async (name: string) => {
    if (team === undefined) await call(api.DELETE("/api/v2/parameters/{name}", { params: { path: { name } } }));
    else await call(api.DELETE("/api/v2/team/{team}/parameters/{name}", { params: { path: { team, name } } }));
    await renew(changes);
  };
  const resource = team === undefined ? "parameter" : "team";
  return {
    query: team === undefined ? ofInstance : ofTeam,
    save,
    remove,
    whyNotWrite: rights.whyNot(`${resource}/write`),
    whyNotDelete: rights.whyNot(`${resource}/delete`),
    // All members of a team can see who approves.
    whyNotGuard: team === undefined ? rights.whyNot("parameter/grant") : undefined,
  };
}
