import type { TokenKind } from "../../api/queries/identity/tokens.ts";
import { useCaller, useRights } from "../../hooks/use-caller.ts";
import { t } from "../../texts/identity/tokens.ts";

/** Whose tokens a section is about. */
export interface TokenPlace {
  kind: TokenKind;
  /** Of a team's and of a workflow's tokens. */
  team?: string | undefined;
  /** Id or name of the workflow. */
  workflow?: string | undefined;
  /** Of a user's tokens: his id or address; the caller's own when left out. */
  principal?: string | undefined;
}

/** What is to be known of the place before its tokens are listed, made or revoked. */
export function useTokenPlace({ kind, team, workflow, principal }: TokenPlace) {
  const caller = useCaller();
  const isOfTeam = kind === "team" || kind === "workflow";
  const rights = useRights(isOfTeam ? team : undefined);
  const isOwn = kind === "user" && (principal === undefined || principal === caller.userId || principal === caller.email);
  const own = caller.userId === null ? t("tokenPlace.tokenIsntUserAccount") : undefined;
  return {
    /** Whom the tokens act as, in the words of the API; undefined for the instance. */
    principal: { team, workflow: workflowReference(team, workflow), user: principal ?? caller.userId ?? undefined, global: undefined }[
      kind
    ],
    whyNotCreate: isOwn ? own : rights.whyNot("token/write"),
    whyNotRevoke: isOwn ? undefined : rights.whyNot("token/delete"),
    /** Rights of a user token follow its user; only what he is given can be narrowed. */
    whyNotGive: (permission: string) => (kind === "user" ? undefined : rights.whyNot(permission)),
  };
}

const id = /^[0-9a-f]{8}-[0-9a-f]{4}-/i;

function workflowReference(team: string | undefined, workflow: string | undefined): string | undefined {
  if (workflow === undefined || team === undefined || id.test(workflow)) return workflow;
  return `${team}/${workflow}`;
}
