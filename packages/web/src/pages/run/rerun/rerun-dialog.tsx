import { Select, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDebouncedValue } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, call } from "../../../api/client.ts";
import { type RerunOptions, rerunPlanQuery } from "../../../api/queries/run/reruns.ts";
import { workflowQuery } from "../../../api/queries/workflow/workflows.ts";
import { type Param, ParamsOfForm, type ParamValues, paramFaults } from "../../../forms/parameter-form.tsx";
import { toRunParams } from "../../../forms/parameter-values.ts";
import { useRights } from "../../../hooks/use-caller.ts";
import { useApiMutation } from "../../../hooks/use-renew.ts";
import { useRequestKey } from "../../../hooks/use-request-key.ts";
import { paths } from "../../../paths.ts";
import { t } from "../../../texts/run/rerun.ts";
import { FormDialog } from "../../../ui/dialog/form-dialog.tsx";
import { Fold } from "../../../ui/fold.tsx";
import { NotLoaded } from "../../../ui/state/not-loaded.tsx";
import { useRunView } from "../run-context.tsx";
import { ShownPlan } from "./rerun-plan.tsx";

interface RerunDialogProps {
  /** The name of the task to rerun from; undefined: from the failed tasks. */
  from: string | undefined;
  /** The workflow version that is selected first; left out: the version of the run. */
  version?: number;
  onClose: () => void;
}

interface Values {
  version: string;
  /** Only the parameters that were edited. */
  params: ParamValues;
}

/** Asks how to rerun a run, shows what that will do, and starts it. Mounted only while it is open. */
export function RerunDialog({ from, version: first, onClose }: RerunDialogProps) {
  const { team, run } = useRunView();
  const rights = useRights(team);
  const form = useForm<Values>({ initialValues: { version: String(first ?? run.workflowVersion), params: {} } });
  const { version, params: edited } = form.values;
  const workflow = useQuery(workflowQuery(team, run.workflowRef, Number(version)));
  const declared = workflow.data?.data.params ?? [];
  const options = optionsOf(from, version, declared, edited);
  const [planned] = useDebouncedValue(options, 300, { leading: true });
  const query = useQuery(rerunPlanQuery(team, run.id, planned));
  const plan = query.isPlaceholderData || JSON.stringify(planned) !== JSON.stringify(options) ? undefined : query.data;
  const rerun = useRerun(onClose);
  const whyNotYet = plan === undefined ? t("rerunDialog.loadingPlan") : plan.again === 0 ? t("rerunDialog.nothing") : undefined;
  const given = Object.fromEntries(run.params.filter(({ hiddenValue }) => hiddenValue !== true).map(({ name, value }) => [name, value]));
  return (
    <FormDialog
      title={from === undefined ? t("rerunDialog.title") : t("rerunDialog.titleFrom", { task: from })}
      size="xl"
      form={form}
      action={t("rerunDialog.action")}
      whyNot={rights.whyNot("workflowrun/action") ?? whyNotYet}
      onSubmit={() => rerun.mutateAsync({ ...options, plan: plan?.digest })}
      onClose={onClose}
      staysOpen
      noValidate
      isLong
    >
      <Select
        label={t("rerunDialog.version")}
        data={versionsFrom(run.workflowVersion, query.data?.latestVersion ?? first)}
        allowDeselect={false}
        {...form.getInputProps("version")}
      />
      {declared.length > 0 && (
        <Fold title={t("rerunDialog.parameters")} isRefused={Object.keys(paramFaults(declared, { ...given, ...edited })).length > 0}>
          <ParamsOfForm
            params={declared}
            values={{ ...given, ...edited }}
            errors={paramFaults(
              declared.filter(({ name }) => name in edited),
              edited,
            )}
            onChange={(next) => form.setFieldValue("params", changedFrom(given, next))}
            forget={form.clearFieldError}
          />
          <Text size="xs" className="quiet">
            {t("rerunDialog.secretsStay")}
          </Text>
        </Fold>
      )}
      <NotLoaded query={query} label={t("rerunDialog.loadingPlan")} rows={4} />
      {query.data && <ShownPlan team={team} workflow={run.workflowRef} plan={query.data} />}
    </FormDialog>
  );
}

function optionsOf(from: string | undefined, version: string, declared: readonly Param[], edited: ParamValues): RerunOptions {
  const params = toRunParams(
    declared.filter(({ name }) => name in edited),
    edited,
  );
  return { ...(from !== undefined && { from: [from] }), version: Number(version), ...(params.length > 0 && { params }) };
}

function changedFrom(given: ParamValues, next: ParamValues): ParamValues {
  return Object.fromEntries(Object.entries(next).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(given[name])));
}

function versionsFrom(own: number, latest = own): { value: string; label: string }[] {
  return Array.from({ length: latest - own + 1 }, (_, index) => own + index)
    .reverse()
    .map((version) => ({ value: String(version), label: versionLabel(version, own, latest) }));
}

function versionLabel(version: number, own: number, latest: number): string {
  if (version === own) return t("rerunDialog.sameVersion", { version: String(version) });
  return version === latest ? t("rerunDialog.latestVersion", { version: String(version) }) : String(version);
}

/** Opens the new run. If the response is lost and the request sent again, no second run is created. */
function useRerun(onDone: () => void) {
  const { team, run } = useRunView();
  const navigate = useNavigate();
  const { keyFor, noteError } = useRequestKey();
  return useApiMutation({
    changes: ["run", "runs", "run-counts", "task-runs", "actions"],
    team,
    leadsAway: true,
    mutationFn: (body: RerunOptions & { plan: string | undefined }) =>
      call(
        api.POST("/api/v2/team/{team}/workflowrun/{runId}/rerun", {
          params: { path: { team, runId: run.id }, query: { start: false }, header: { "Idempotency-Key": keyFor([run.id, body]) } },
          body,
        }),
      ),
    onError: noteError,
    onSuccess: async ({ id, rerunOf }) => {
      onDone();
      notifications.show({ message: t("rerunDialog.started", { count: rerunOf?.reused ?? 0 }) });
      await navigate({ to: paths.run(team, id) });
    },
  });
}
