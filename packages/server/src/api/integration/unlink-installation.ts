import { codehostLinkRequest } from "@millrace/contract/integration.ts";
import { findInstallation, unlinkInstallation as unlink } from "../../store/integration/installations.ts";
import { defineEndpoint } from "../endpoint.ts";
import { requireTeam } from "./require-team.ts";

export const unlinkInstallation = defineEndpoint({
  method: "POST",
  path: "/api/v2/integration/codehost/unlink",
  summary: "Unlink an installation of the codehost's app from a team",
  description:
    "`ref` is the platform's installation number, or the `ref` of the team's integration. Links to other teams stay, and you can link the team again. " +
    "Unlinking again changes nothing. Needs the permission `integration/write` in the team.",
  tag: "Integrations",
  permission: "signed-in",
  transaction: "write",
  body: codehostLinkRequest,
  response: null,
  async handle({ db, body, principal, audit }) {
    const team = await requireTeam(db, principal, body.team, "integration/write");
    const installation = await findInstallation(db, body.ref);
    const wasLinked = installation !== undefined && (await unlink(db, team.id, installation.id));
    const id = installation?.id ?? body.ref;
    audit({ kind: "integration", id, name: team.name, teamId: team.id, before: { linked: wasLinked }, after: { linked: false } });
  },
});
