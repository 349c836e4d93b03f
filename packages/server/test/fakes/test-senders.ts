import { openSenders } from "../../src/channels/registry.ts";
import type { Sender } from "../../src/engine/channel.ts";
import { CodehostClients } from "../../src/integrations/codehost/codehost-client.ts";
import type { Database } from "../../src/store/database/database.ts";
import { saveCheckRunId } from "../../src/store/integration/codehost-reports.ts";
import { platformFetch } from "../kit/platform-fetch.ts";

/** The senders of all channels, as in a process. @param outboundAllow private addresses that webhooks may reach nevertheless */
export function testSenders(sql: Database, publicUrl: string, outboundAllow: readonly string[] = []): Sender[] {
  const codehost = {
    clients: new CodehostClients(platformFetch),
    rememberCheckRun: ({ teamId, runId }: { teamId: string; runId: string }, id: number) => saveCheckRunId(sql, teamId, runId, id),
  };
  return openSenders({ outboundAllow, platformFetch, publicUrl, codehost });
}
