import { Group, Stack, Switch, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import { messageOf } from "../../../api/api-error.ts";
import { runTests, workflowTestQuery, workflowTestsQuery } from "../../../api/queries/workflow/workflow-tests.ts";
import { readWorkflow, writeWorkflow } from "../../../api/queries/workflow/workflows.ts";
import { bodyOf } from "../../../editor/draft/draft.ts";
import { useDraft } from "../../../editor/draft/draft-context.ts";
import { useRights } from "../../../hooks/use-caller.ts";
import { useApiMutation } from "../../../hooks/use-renew.ts";
import { useSearchState } from "../../../hooks/use-search-state.ts";
import { t } from "../../../texts/workflow/workflow-tests.ts";
import { ActionButton } from "../../../ui/dialog/action-button.tsx";
import { NotLoaded } from "../../../ui/state/not-loaded.tsx";
import { EmptyState } from "../../../ui/state/notice.tsx";
import { RefusalAlert } from "../../../ui/state/refusal-alert.tsx";
import { TestEditor } from "./test-editor.tsx";
import { TestList } from "./test-list.tsx";
import { CoverageResult } from "./test-result.tsx";
import classes from "./tests.module.css";

/** The tests of a workflow: their last results, one of them as text, and the coverage. */
export function TestsPage() {
  const { team, workflow, history, isDirty } = useDraft();
  const query = useQuery(workflowTestsQuery(team, workflow));
  const [{ test, create }, setAddress] = useSearchState({ test: "", create: false });
  const whyNotWrite = useRights(team).whyNot("workflow/write");
  const draft = isDirty ? { draft: bodyOf(history.present, history.baseline) } : {};
  const all = useApiMutation({ changes: [], mutationFn: () => runTests(team, workflow, draft) });
  const { data } = query;
  if (data === undefined) return <NotLoaded query={query} label={t("page.loading")} />;
  const open = (name: string) => setAddress({ test: name, create: false }, { replace: false });
  const begin = () => setAddress({ test: "", create: true }, { replace: false });
  const runAll = () => {
    setAddress({ test: "", create: false });
    all.mutate();
  };
  const results = new Map(all.data?.tests.map((result) => [result.name, result]));
  return (
    <div className={classes.page}>
      <Stack gap="sm" className={classes.side}>
        <Group gap="xs">
          <ActionButton size="xs" whyNot={data.tests.length === 0 ? t("page.none") : undefined} loading={all.isPending} onClick={runAll}>
            {t("page.runAll")}
          </ActionButton>
          <ActionButton size="xs" variant="default" whyNot={whyNotWrite} onClick={begin}>
            {t("page.create")}
          </ActionButton>
        </Group>
        {isDirty && <Text size="sm">{t("page.draftIsTested")}</Text>}
        {data.tests.length > 0 && <TestList tests={data.tests} results={results} chosen={test} onChoose={open} />}
        <RequireSwitch isRequired={data.requireTests} whyNot={whyNotWrite ?? (isDirty ? t("page.saveFirst") : undefined)} />
      </Stack>
      <div className={classes.content}>
        {all.error && <RefusalAlert title={t("page.couldntRun")} error={all.error} />}
        {create || test !== "" ? (
          <OpenTest
            key={create ? "" : test}
            test={create ? "" : test}
            draft={draft}
            whyNot={whyNotWrite}
            onSaved={open}
            onGone={() => open("")}
          />
        ) : (
          <Stack gap="md">
            {data.tests.length === 0 ? (
              <EmptyState title={t("page.none")}>
                <Text className="quiet">{t("page.noneHelp")}</Text>
                <Text className="quiet">{t("page.noneRun")}</Text>
              </EmptyState>
            ) : (
              all.data === undefined && <Text className="quiet">{t("page.choose")}</Text>
            )}
            {all.data && <CoverageResult report={all.data} tasks={history.present.tasks} />}
          </Stack>
        )}
      </div>
    </div>
  );
}

interface OpenTestProps {
  /** Empty: a new test. */
  test: string;
  draft: { draft?: ReturnType<typeof bodyOf> };
  whyNot: string | undefined;
  onSaved: (name: string) => void;
  onGone: () => void;
}

function OpenTest({ test, ...editing }: OpenTestProps) {
  const { team, workflow } = useDraft();
  const query = useQuery({ ...workflowTestQuery(team, workflow, test), enabled: test !== "" });
  if (test !== "" && query.data === undefined) return <NotLoaded query={query} label={t("page.loadingTest")} />;
  return <TestEditor stored={query.data} {...editing} />;
}

function RequireSwitch({ isRequired, whyNot }: { isRequired: boolean; whyNot: string | undefined }) {
  const { team, workflow } = useDraft();
  const toggle = useApiMutation({
    changes: ["workflows", "workflow"],
    team,
    mutationFn: async (requireTests: boolean) => {
      const { data, etag } = await readWorkflow(team, workflow);
      return writeWorkflow(team, { ...data, requireTests }, { replace: true, etag });
    },
    toast: (_, isOn) => t(isOn ? "page.requireOn" : "page.requireOff"),
    onError: (error) => notifications.show({ color: "red", title: t("page.couldntChange"), message: messageOf(error), autoClose: 10_000 }),
  });
  return (
    <Switch
      label={t("page.require")}
      description={whyNot ?? t("page.requireHelp")}
      checked={isRequired}
      disabled={whyNot !== undefined || toggle.isPending}
      onChange={(event) => toggle.mutate(event.currentTarget.checked)}
    />
  );
}
