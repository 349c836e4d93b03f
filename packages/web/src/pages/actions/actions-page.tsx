import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { type Action, actionsQuery } from "../../api/queries/actions.ts";
import { useVoter } from "../../components/actions/use-voter.ts";
import { useListKeys } from "../../components/shell/list-keys.ts";
import { ListKeysHelp } from "../../components/shell/list-keys-help.tsx";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { useTeam } from "../../hooks/use-team.ts";
import { t } from "../../texts/actions.ts";
import { PageChoice } from "../../ui/list/page-choice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { useSelection } from "../../ui/table/use-selection.ts";
import { type InboxState, inboxDefaults, toActionsFilter } from "./actions-filter.ts";
import { ActionsSummary } from "./actions-summary.tsx";
import { ActionsTable } from "./actions-table.tsx";
import { InboxFilters } from "./inbox-filters.tsx";
import { NoActions } from "./no-actions.tsx";
import { VoteBar } from "./vote-bar.tsx";
import { VoteDialog } from "./vote-dialog.tsx";

const pageSize = 25;

/** What waits for people: found, and decided one by one or many at once. */
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
    if (votable(wanted).length > 0) setVote({ approved, actions: votable(wanted) });
  };
  useListKeys(list, {
    onSelect: (id) => {
      const action = find(id);
      if (action?.status === "submitted") selection.toggle(action);
    },
    more: { a: (id) => decide(true, id), r: (id) => decide(false, id) },
  });
  return (
    <>
      <PageHeader title={t("actionsPage.actions")} detail={<ActionsSummary team={team} />}>
        <ListKeysHelp
          more={[
            ["a", "approve"],
            ["r", "reject"],
          ]}
        />
      </PageHeader>
      <InboxFilters team={team} state={state} onChange={(change) => setState({ page: 0, ...change })} />
      <VoteBar selection={selection} whyNot={voter.whyNot} onVote={(approved, chosen) => setVote({ approved, actions: chosen })} />
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
      {data !== undefined && (
        <PageChoice
          page={data.number}
          size={pageSize}
          total={data.totalElements}
          onChange={(page) => setState({ page }, { replace: false })}
        />
      )}
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
    </>
  );
}
