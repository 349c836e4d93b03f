import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { instanceInsightsQuery } from "../../api/queries/insights.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { t } from "../../texts/insights.ts";
import { QueryView } from "../../ui/state/query-view.tsx";
import { viewerZone } from "../../ui/time/zone-time.ts";
import { InsightContent } from "./insight-content.tsx";
import { InsightFilters } from "./insight-filters.tsx";
import { filterOf, insightDefaults, tidyPlace } from "./insight-place.ts";

/** The same of all teams, for the administration: without a header of its own. */
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
