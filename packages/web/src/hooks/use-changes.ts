import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { watchChanges } from "../api/changes.ts";

/** While the page is open, what it shows of this team is loaded anew when it has changed on the server. */
export function useChanges(team: string): void {
  useWatch(team);
}

/** The same for pages that go over all teams or show the instance. */
export function useChangesEverywhere(): void {
  useWatch(undefined);
}

function useWatch(team: string | undefined): void {
  const client = useQueryClient();
  useEffect(() => watchChanges(client, team), [client, team]);
}
