import { Anchor, Button, Group, Text, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useRef, useState } from "react";
import { type Action, actionQuery, actionSummaryQuery, actionsQuery, castVote, touchedByVotes } from "../../api/queries/actions.ts";
import { ActionRequest } from "../../components/actions/action-request.tsx";
import { ActionFields, useEntry } from "../../components/actions/decide-form.tsx";
import { actionWords, useVoter } from "../../components/actions/vote-rule.ts";
import { BulkDialog } from "../../components/bulk/bulk-dialog.tsx";
import { ListKeysHelp, useListKeys } from "../../components/keys/list-keys.tsx";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { useTeam } from "../../hooks/use-team.ts";
import { t } from "../../texts/actions.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { numberText } from "../../ui/format.ts";
import { ListPage } from "../../ui/list/list-page.tsx";
import { LoadingState, NotLoaded } from "../../ui/state/not-loaded.tsx";
import { EmptyState } from "../../ui/state/notice.tsx";
import { type Selection, useSelection } from "../../ui/table/use-selection.ts";
import classes from "./actions.module.css";
import { type InboxState, inboxDefaults, toActionsFilter } from "./actions-filter.ts";
import { ActionsTable } from "./actions-table.tsx";
import { InboxFilters } from "./inbox-filters.tsx";

const pageSize = 25;

/** The actions that wait for people: search them, and decide one or several at a time. */
export function ActionsPage() {
  const team = useTeam();
  const [state, setState] = useSearchState<InboxState>(inboxDefaults);
  const query = useQuery(actionsQuery(team, toActionsFilter(state), { page: Math.max(0, Number(state.page) || 0), limit: pageSize }));
  const { data } = query;
  const selection = useSelection<Action>();
  const [vote, setVote] = useState<{ approved: boolean; actions: readonly Action[] }>();
  const voter = useVoter(team);
  const list = useRef<HTMLDivElement>(null);
  const actions = data?.content ?? [];
  const find = (id: string | undefined) => actions.find((action) => action.id === id);
  const votable = (chosen: readonly Action[]) => chosen.filter((action) => voter.whyNot(action) === undefined);
  const decide = (approved: boolean, id?: string) => {
    const wanted = selection.chosen.length > 0 ? selection.chosen : [find(id)].filter((action) => action !== undefined);
    const chosen = votableAtOnce(votable(wanted), approved);
    if (chosen.length > 0) setVote({ approved, actions: chosen });
  };
  useListKeys(list, {
    onSelect: (id) => {
      const action = find(id);
      if (action?.status === "submitted") selection.toggle(action);
    },
    more: { a: (id) => decide(true, id), r: (id) => decide(false, id) },
  });
  return (
    <ListPage
      title={t("actionsPage.actions")}
      detail={<ActionsSummary team={team} />}
      actions={
        <ListKeysHelp
          more={[
            ["a", t("actionsPage.approveKey")],
            ["r", t("actionsPage.rejectKey")],
          ]}
        />
      }
      filters={<InboxFilters team={team} state={state} onChange={(change) => setState({ page: 0, ...change })} />}
      bar={
        (data?.totalElements !== 0 || selection.chosen.length > 0) && (
          <VoteBar selection={selection} whyNot={voter.whyNot} onVote={(approved, chosen) => setVote({ approved, actions: chosen })} />
        )
      }
      pages={
        data && {
          page: data.number,
          size: pageSize,
          total: data.totalElements,
          onChange: (page) => setState({ page }, { replace: false }),
        }
      }
    >
      <div ref={list}>
        <NotLoaded query={query} label={t("actionsPage.loadingActions")} rows={8} />
        {data?.empty === true && <NoActions state={state} onShowAll={() => setState({ ...inboxDefaults, show: "all" })} />}
        {actions.length > 0 && (
          <ActionsTable
            team={team}
            actions={actions}
            selection={selection}
            whyNot={voter.whyNot}
            onVote={(approved, action) => setVote({ approved, actions: [action] })}
          />
        )}
      </div>
      {vote !== undefined && (
        <VoteDialog
          team={team}
          {...vote}
          onClose={(done) => {
            selection.remove(done);
            setVote(undefined);
          }}
        />
      )}
    </ListPage>
  );
}

/** How many actions are open, and what share of all actions has been decided. */
function ActionsSummary({ team }: { team: string }) {
  const { data } = useQuery(actionSummaryQuery(team));
  if (data === undefined) return <>{t("actionsPage.waitingPeople")}</>;
  const some = (count: number, one: string, many: string) => `${numberText(count)} ${count === 1 ? one : many}`;
  return (
    <>
      {t(data.approvals + data.manual === 0 ? "actionsPage.noneOpen" : "actionsPage.decided", {
        some: some(data.approvals, t("actionsPage.openApproval"), t("actionsPage.openApprovals")),
        some2: some(data.manual, t("actionsPage.openManualTask"), t("actionsPage.openManualTasks")),
        approvalsRate: data.approvalsRate,
      })}
    </>
  );
}

/** Shown when no actions are open, or when none matches the filters. */
function NoActions({ state, onShowAll }: { state: InboxState; onShowAll: () => void }) {
  const isPlain = (Object.keys(inboxDefaults) as (keyof InboxState)[]).every((key) => key === "page" || state[key] === inboxDefaults[key]);
  return (
    <EmptyState
      title={
        isPlain ? t("actionsPage.noActionsYet") : state.mine ? t("actionsPage.nothingNeedsAttention") : t("actionsPage.noActionsMatchThese")
      }
    >
      {isPlain && <Text className="quiet">{t("actionsPage.approvalsManualTasksRuns")}</Text>}
      <Button variant="default" onClick={onShowAll}>
        {t("actionsPage.showAllActions")}
      </Button>
    </EmptyState>
  );
}

/** Several actions can be approved with one comment. Actions that ask for values are approved one at a time. */
export function votableAtOnce(actions: readonly Action[], approved: boolean): readonly Action[] {
  return approved && actions.length > 1 ? actions.filter(({ fieldCount }) => fieldCount === 0) : actions;
}

interface VoteBarProps {
  selection: Selection<Action>;
  whyNot: (action: Action) => string | undefined;
  onVote: (approved: boolean, actions: readonly Action[]) => void;
}

/** Decides the selected actions, with one comment for all of them. */
function VoteBar({ selection, whyNot, onVote }: VoteBarProps) {
  const { chosen } = selection;
  const votable = chosen.filter((action) => whyNot(action) === undefined);
  const approvable = votableAtOnce(votable, true);
  const refusal =
    chosen.length === 0
      ? t("actionsPage.selectActionsFirstTick")
      : votable.length === 0
        ? t("actionsPage.cantDecideAnyThese", { chosen: String(chosen[0] && whyNot(chosen[0])) })
        : undefined;
  const needsValues = approvable.length === 0 ? t("actionsPage.fillInOneByOne") : undefined;
  return (
    <Group className={classes.bulk} gap="xs" px="md">
      <Text size="sm" className={chosen.length === 0 ? "quiet" : ""} role="status">
        {chosen.length === 0
          ? t("actionsPage.nothingSelected")
          : t(chosen.length === votable.length ? "actionsPage.selected" : "actionsPage.selectedPart", {
              count: chosen.length,
              votable: votable.length,
            })}
      </Text>
      <ActionButton size="compact-sm" variant="default" whyNot={refusal ?? needsValues} onClick={() => onVote(true, approvable)}>
        {t("actionsPage.approveSelected")}
      </ActionButton>
      <ActionButton size="compact-sm" variant="default" whyNot={refusal} onClick={() => onVote(false, votable)}>
        {t("actionsPage.rejectSelected")}
      </ActionButton>
      {chosen.length > 0 && (
        <Anchor component="button" size="sm" onClick={selection.clear}>
          {t("actionsPage.clearSelection")}
        </Anchor>
      )}
    </Group>
  );
}

interface VoteDialogProps {
  team: string;
  approved: boolean;
  actions: readonly Action[];
  onClose: (done: readonly string[]) => void;
}

/** Asks for a comment, votes on each action, and shows which votes were accepted. */
function VoteDialog({ team, approved, actions, onClose }: VoteDialogProps) {
  const [comments, setComments] = useState("");
  const [only] = actions;
  // The list has only the beginning of each request.
  const whole = useQuery({ ...actionQuery(team, only?.id ?? ""), enabled: actions.length === 1 });
  const entry = useEntry({ fields: approved && actions.length === 1 ? (whole.data?.fields ?? []) : [] });
  const words = actionWords[actions.every(({ type }) => type === "manual") ? "manual" : "approval"];
  const verb = approved ? words.yes : words.no;
  return (
    <BulkDialog
      title={
        actions.length === 1 && only
          ? t("voteDialog.titleOfOne", { verb, task: only.title ?? only.taskName, workflow: only.workflowDisplayName || only.workflowName })
          : t("voteDialog.title", { verb, count: actions.length })
      }
      action={actions.length === 1 ? verb : `${verb} ${actions.length}`}
      isDangerous={!approved}
      things={actions.map(({ id, title, taskName, workflowName, workflowDisplayName }) => ({
        id,
        name: `${title ?? taskName} · ${workflowDisplayName || workflowName}`,
      }))}
      // Nothing is decided unseen, and the button must not be clickable while the request is loaded, which moves it.
      whyNot={whole.isLoading ? t("voteDialog.loadingRequest") : undefined}
      canBegin={() => !approved || ((only?.fieldCount === 0 || whole.data !== undefined || actions.length > 1) && entry.isComplete())}
      onEach={({ id }) =>
        castVote(team, { id, approved, comments, values: entry.sent(approved) }).then(() =>
          t(approved ? "voteDialog.approved" : "voteDialog.rejected"),
        )
      }
      touches={touchedByVotes}
      team={team}
      onClose={onClose}
    >
      {actions.length === 1 && <NotLoaded query={whole} label={t("voteDialog.loadingRequest")} rows={2} />}
      {actions.length === 1 && whole.data && (
        <>
          <ActionRequest team={team} action={whole.data} />
          {approved && (
            <Suspense fallback={<LoadingState label={t("voteDialog.loadingRequest")} rows={2} />}>
              <ActionFields fields={whole.data.fields} values={entry.values} errors={entry.errors} onChange={entry.change} />
            </Suspense>
          )}
        </>
      )}
      <Textarea
        label={t("voteDialog.comment")}
        description={t("voteDialog.optionalSavedDecisionOptional", { count: actions.length })}
        data-autofocus
        autosize
        minRows={2}
        maxLength={10_000}
        value={comments}
        onChange={(event) => setComments(event.currentTarget.value)}
      />
    </BulkDialog>
  );
}
