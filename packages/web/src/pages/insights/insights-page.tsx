import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { instanceInsightsQuery, teamInsightsQuery } from "../../api/queries/run/insights.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { useTeam } from "../../hooks/use-team.ts";
import { t } from "../../texts/run/insights.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { QueryView } from "../../ui/state/not-loaded.tsx";
import { viewerZone } from "../../ui/time/zone-time.ts";
import { ForecastSection } from "./forecast-section.tsx";
import { InsightContent } from "./insight-content.tsx";
import { InsightFilters } from "./insight-filters.tsx";
import { filterOf, insightDefaults, tidyPlace } from "./insight-place.ts";
import classes from "./insights.module.css";
import { TimesSection } from "./times-section.tsx";

/** Statistics of a team's runs: how many, how they ended, how long they took and waited. */
export function InsightsPage() {
  const team = useTeam();
  const [found, change] = useSearchState(insightDefaults);
  const place = tidyPlace(found);
  const timezone = place.timezone || viewerZone();
  const [now] = useState(Date.now);
  const filter = filterOf(place, timezone, now);
  const query = useQuery(teamInsightsQuery(team, filter));
  return (
    <>
      <PageHeader title={t("insightsPage.insights")} detail={t("insightsPage.runVolumeOutcomesDuration")} />
      <InsightFilters team={team} place={place} timezone={timezone} onPlace={change} />
      <QueryView query={query} label={t("insightsPage.loadingInsights")} rows={8}>
        {(data) => <InsightContent team={team} workflows={place.workflows} data={data} />}
      </QueryView>
      {/* Below what is still loading, it would move. */}
      <div className={classes.more} hidden={query.isLoading}>
        <TimesSection team={team} filter={filter} />
        <ForecastSection team={team} />
      </div>
    </>
  );
}

/** The statistics of all teams, for the administration. It has no header of its own. */
export function InstanceInsights() {
  const [found, change] = useSearchState(insightDefaults);
  const place = { ...tidyPlace(found), workflows: [] };
  const timezone = place.timezone || viewerZone();
  const [now] = useState(Date.now);
  const query = useQuery(instanceInsightsQuery(filterOf(place, timezone, now)));
  return (
    <>
      <InsightFilters team={undefined} place={place} timezone={timezone} onPlace={change} />
      <QueryView query={query} label={t("instanceInsights.loadingInsights")} rows={8}>
        {(data) => <InsightContent workflows={[]} data={data} />}
      </QueryView>
    </>
  );
}
