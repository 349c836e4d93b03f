import { Text, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, call } from "../../../api/client.ts";
import { markPlanQuery, type RerunPlan } from "../../../api/queries/run/reruns.ts";
import { useRights } from "../../../hooks/use-caller.ts";
import { useApiMutation } from "../../../hooks/use-renew.ts";
import { useRequestKey } from "../../../hooks/use-request-key.ts";
import { paths } from "../../../paths.ts";
import { t } from "../../../texts/run/rerun.ts";
import { FormDialog } from "../../../ui/dialog/form-dialog.tsx";
import { NotLoaded } from "../../../ui/state/not-loaded.tsx";
import { useRunView } from "../run-context.tsx";
import { ShownPlan } from "./rerun-plan.tsx";

interface Values {
  reason: string;
  /** The typed values, by name. */
  results: Record<string, string>;
}

type Declared = NonNullable<RerunPlan["declaredResults"]>[number];

/** Asks for the results of a failed task and for a reason; then the rest of the run is executed. Mounted only while it is open. */
export function MarkDialog({ task, onClose }: { task: string; onClose: () => void }) {
  const { team, run } = useRunView();
  const rights = useRights(team);
  const query = useQuery(markPlanQuery(team, run.id, task));
  const declared = query.data?.declaredResults ?? [];
  const form = useForm<Values>({
    initialValues: { reason: "", results: {} },
    validate: (values) => faultsOf(values, declared),
  });
  const mark = useMark(task, onClose);
  return (
    <FormDialog
      title={t("markDialog.title", { task })}
      size="xl"
      form={form}
      action={t("markDialog.action")}
      whyNot={rights.whyNot("taskrun/write") ?? (query.data ? undefined : t("rerunDialog.loadingPlan"))}
      onSubmit={({ reason, results }) => mark.mutateAsync({ reason, results: resultsOf(results, declared) })}
      onClose={onClose}
      staysOpen
      noValidate
      isLong
    >
      <Text>{t("markDialog.what")}</Text>
      <Textarea
        label={t("markDialog.reason")}
        description={t("markDialog.reasonHelp")}
        required
        maxLength={1000}
        autosize
        {...form.getInputProps("reason")}
      />
      {query.data && declared.length === 0 && <Text className="quiet">{t("markDialog.noResults")}</Text>}
      {declared.map((result) => (
        <Textarea
          key={result.name}
          label={result.name}
          description={[result.description, isJson(result) && t("markDialog.json")].filter(Boolean).join(". ")}
          autosize
          value={form.values.results[result.name] ?? ""}
          error={form.errors[`results.${result.name}`]}
          onChange={(event) => {
            form.setFieldValue("results", { ...form.values.results, [result.name]: event.currentTarget.value });
            form.clearFieldError(`results.${result.name}`);
          }}
        />
      ))}
      <NotLoaded query={query} label={t("rerunDialog.loadingPlan")} rows={4} />
      {query.data && <ShownPlan team={team} workflow={run.workflowRef} plan={query.data} />}
    </FormDialog>
  );
}

function isJson({ type }: Declared): boolean {
  return type === "array" || type === "object";
}

function faultsOf({ reason, results }: Values, declared: readonly Declared[]): Record<string, string> {
  const faults = declared.filter((result) => isJson(result) && results[result.name] && !canParse(results[result.name] ?? ""));
  return {
    ...(reason.trim() === "" && { reason: t("markDialog.enterReason") }),
    ...Object.fromEntries(faults.map(({ name }) => [`results.${name}`, t("markDialog.notJson")])),
  };
}

function canParse(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function resultsOf(results: Values["results"], declared: readonly Declared[]): { name: string; value: unknown }[] {
  return declared.flatMap((result) => {
    const typed = results[result.name];
    return typed === undefined || typed === "" ? [] : [{ name: result.name, value: isJson(result) ? JSON.parse(typed) : typed }];
  });
}

function useMark(task: string, onDone: () => void) {
  const { team, run } = useRunView();
  const navigate = useNavigate();
  const { keyFor, noteError } = useRequestKey();
  return useApiMutation({
    changes: ["run", "runs", "run-counts", "task-runs", "actions"],
    team,
    leadsAway: true,
    mutationFn: (given: { reason: string; results: { name: string; value: unknown }[] }) =>
      call(
        api.POST("/api/v2/team/{team}/workflowrun/{runId}/mark-succeeded", {
          params: { path: { team, runId: run.id }, query: { start: false }, header: { "Idempotency-Key": keyFor([run.id, task, given]) } },
          body: { task, ...given },
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
