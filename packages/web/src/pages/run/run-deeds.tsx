import { ActionIcon, Menu, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { isRunOver, runCan } from "@millrace/contract/run-rules.ts";
import { IconDots } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { api, call } from "../../api/client.ts";
import type { Run } from "../../api/queries/runs.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { paths } from "../../paths.ts";
import { DeedButton } from "../../ui/deed-button.tsx";
import { DeedItem } from "../../ui/deed-item.tsx";
import { useRunView } from "./run-context.ts";
import { CancelDialog, FinalizeDialog } from "./run-dialogs.tsx";

const RunDialog = lazy(() => import("../../components/run-dialog.tsx").then((module) => ({ default: module.RunDialog })));

type Deed = "start" | "cancel" | "retry" | "rerun" | "finalize";

/** Asks the service; a new run is opened, everything else shows on the page. */
export function useDeed(team: string, run: Run) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const deed = useMutation({
    mutationFn: (deed: Deed) => ask(deed, { path: { team, runId: run.id } }),
    onSuccess: async (answer, deed) => {
      for (const word of ["run", "runs", "run-counts", "task-runs", "actions"]) void client.invalidateQueries({ queryKey: [word, team] });
      if (deed !== "retry" && deed !== "rerun") return;
      notifications.show({ message: deed === "retry" ? "A new run begins from the start." : "A new run takes over what succeeded." });
      await navigate({ to: paths.run(team, answer.id) });
    },
  });
  const { reset } = deed;
  const state = `${run.id} ${run.phase} ${run.status}`;
  // What was refused in one state says nothing of the next one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state is what it is about
  useEffect(reset, [state]);
  return deed;
}

function ask(deed: Deed, params: { path: { team: string; runId: string } }): Promise<Run> {
  const at = "/api/v2/team/{team}/workflowrun/{runId}" as const;
  switch (deed) {
    case "start":
      return call(api.PUT(`${at}/start`, { params, body: {} }));
    case "cancel":
      return call(api.DELETE(`${at}/cancel`, { params }));
    case "finalize":
      return call(api.PUT(`${at}/finalize`, { params }));
    case "retry":
      return call(api.PUT(`${at}/retry`, { params: { ...params, query: { start: false } } }));
    case "rerun":
      return call(api.PUT(`${at}/rerun`, { params: { ...params, query: { start: false } } }));
  }
}

/** What can be done to the run: the one place for running it again, in each of its ways. @param deed from `useDeed`; whoever shows the buttons shows its error */
export function RunDeeds({ deed }: { deed: ReturnType<typeof useDeed> }) {
  const { team, run } = useRunView();
  const rights = useRights(team);
  const [asking, setAsking] = useState<"cancel" | "finalize" | "again">();
  const whyNot = rights.whyNot("workflowrun/action");
  const close = () => setAsking(undefined);
  return (
    <>
      <MoreMenu whyNot={whyNot} onFinalize={() => setAsking("finalize")} />
      {runCan.start(run) && (
        <DeedButton size="xs" variant="default" whyNot={whyNot} loading={deed.isPending} onClick={() => deed.mutate("start")}>
          Start now
        </DeedButton>
      )}
      {runCan.cancel(run) ? (
        <DeedButton size="xs" variant="default" whyNot={whyNot} onClick={() => setAsking("cancel")}>
          Cancel
        </DeedButton>
      ) : (
        <AgainButtons
          run={run}
          whyNot={whyNot}
          whyNotSubmit={rights.whyNot("workflow/action")}
          deed={deed}
          onAgain={() => setAsking("again")}
        />
      )}
      <CancelDialog isOpen={asking === "cancel"} onClose={close} onConfirm={() => deed.mutateAsync("cancel")} />
      <FinalizeDialog isOpen={asking === "finalize"} onClose={close} onConfirm={() => deed.mutateAsync("finalize")} />
      {asking === "again" && (
        <Suspense>
          <RunDialog
            team={team}
            workflow={run.workflowRef}
            isOpen
            onClose={close}
            initialParams={valuesOf(run)}
            title="Run again with other parameters"
          />
        </Suspense>
      )}
    </>
  );
}

interface AgainButtonsProps {
  run: Run;
  whyNot: string | undefined;
  whyNotSubmit: string | undefined;
  deed: ReturnType<typeof useDeed>;
  onAgain: () => void;
}

/** Again from the failed tasks is the main deed of a run that failed; of one that succeeded, to run it again. */
function AgainButtons({ run, whyNot, whyNotSubmit, deed, onAgain }: AgainButtonsProps) {
  const canRerun = runCan.rerunFailed(run);
  return (
    <>
      <DeedButton size="xs" variant="default" whyNot={whyNotSubmit} onClick={onAgain}>
        Run with changes …
      </DeedButton>
      <DeedButton
        size="xs"
        variant={canRerun ? "default" : "filled"}
        whyNot={whyNot}
        loading={deed.isPending && deed.variables === "retry"}
        onClick={() => deed.mutate("retry")}
      >
        Run again
      </DeedButton>
      {canRerun && (
        <DeedButton size="xs" whyNot={whyNot} loading={deed.isPending && deed.variables === "rerun"} onClick={() => deed.mutate("rerun")}>
          Rerun from failed
        </DeedButton>
      )}
    </>
  );
}

function MoreMenu({ whyNot, onFinalize }: { whyNot: string | undefined; onFinalize: () => void }) {
  const { run } = useRunView();
  const why = whyNot ?? (runCan.finalize(run) ? undefined : isRunOver(run) ? "It is finalized already." : "It is not over yet.");
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label="More">
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <DeedItem whyNot={why} onClick={onFinalize}>
          Finalize …
          <Text size="xs" className="quiet">
            {why ?? "Gives up its workspaces."}
          </Text>
        </DeedItem>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Secrets are not shown, so they are not among them. */
function valuesOf(run: Run): Record<string, unknown> {
  return Object.fromEntries(run.params.filter(({ hiddenValue }) => hiddenValue !== true).map(({ name, value }) => [name, value]));
}
