import type { TokenKind } from "../../api/queries/identity/tokens.ts";
import { useCaller, useRights } from "../../hooks/use-caller.ts";
import { t } from "../../texts/identity/tokens.ts";

/** The owner of the tokens that a section shows. */
export interface TokenPlace {
  kind: TokenKind;
  /** For tokens of a team or a workflow. */
  team?: string | undefined;
  /** The id or name of the workflow. */
  workflow?: string | undefined;
  /** For tokens of a user: the user's id or email address; left out: the caller. */
  principal?: string | undefined;
}

/** What has to be known about the owner before its tokens are listed, created or revoked. */
export function useTokenPlace({ kind, team, workflow, principal }: TokenPlace) {
  const caller = useCaller();
  const isOfTeam = kind === "team" || kind === "workflow";
  const rights = useRights(isOfTeam ? team : undefined);
  const isOwn = kind === "user" && (principal === undefined || principal === caller.userId || principal === caller.email);
  const own = caller.userId === null ? t("tokenPlace.tokenIsntUserAccount") : undefined;
  return {
    /** The principal the tokens act as, in the format of the API; undefined for the instance. */
    principal: { team, workflow: workflowReference(team, workflow), user: principal ?? caller.userId ?? undefined, global: undefined }[
      kind
    ],
    whyNotCreate: isOwn ? own : rights.whyNot("token/write"),
    whyNotRevoke: isOwn ? undefined : rights.whyNot("token/delete"),
    /** A user's token has the permissions of its user; they can only be narrowed. */
    whyNotGive: (permission: string) => (kind === "user" ? undefined : rights.whyNot(permission)),
  };
}

const id = /^[0-9a-f]{8}-[0-9a-f]{4}-/i;

function workflowReference(team: string | undefined, workflow: string | undefined): string | undefined {
  if (workflow === undefined || team === undefined || id.test(workflow)) return workflow;
  return `${team}/${workflow}`;
}
