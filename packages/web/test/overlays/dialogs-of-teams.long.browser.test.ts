import { randomBytes } from "node:crypto";
import { addInstallation, fakeCodehost } from "../../../server/test/fakes/fake-codehost.ts";
import { describeInBrowser } from "../kit/browser.ts";
import { openSite, type Site } from "../kit/site.ts";
import { lookAtEach, shop } from "./look-at-each.ts";
import { overTeams } from "./teams.ts";

/** An installation of the codehost that the team is linked to. */
async function linkCodehost(site: Site, token: string) {
  const codehost = await fakeCodehost();
  const settings = {
    "codehost.appName": "millrace-shop",
    "codehost.appId": codehost.appId,
    "codehost.pem": codehost.pem,
    "codehost.webhookSecret": randomBytes(12).toString("hex"),
    "codehost.baseURL": codehost.url,
  };
  const config = Object.entries(settings).map(([key, value]) => ({ key, value }));
  await site.call(site.adminToken, "PUT", "/api/v2/settings", [{ id: "integration", config }]);
  addInstallation(codehost, 4711, { login: "shop", repositories: [{ id: 1, name: "till" }] });
  await site.call(token, "POST", "/api/v2/integration/codehost/link", { ref: "4711", team: "shop" });
}

describeInBrowser("dialogs and drawers of a team", async () => {
  const site = await openSite({ MILLRACE_OUTBOUND_ALLOW: "127.0.0.1" });
  const team = await shop(site);
  const { owner } = team.tokens;
  await site.call(owner, "POST", "/api/v2/team/shop/invitation", { email: "invited@example.com", role: "reader" });
  await site.call(owner, "POST", "/api/v2/token", { type: "team", name: "nightly", principal: "shop", permissions: ["**/read"] });
  const approvers = [team.reader.id];
  const parameters = [
    { name: "city", type: "text", value: "Lyon" },
    { name: "key", type: "password", value: "0pen-sesame" },
  ];
  await site.call(owner, "PATCH", "/api/v2/team/shop", { approverGroups: [{ name: "releasers", approvers }], parameters });
  await site.call(owner, "PATCH", "/api/v2/team/shop", { quotas: { maxWorkflowCount: 3 } });
  // Another team, so that workflows of the first are saved without approval.
  const guards = { members: [{ email: team.reader.email, role: "reader" }], approverGroups: [{ name: "releasers", approvers }] };
  await site.call(site.adminToken, "POST", "/api/v2/team", { name: "guarded", displayName: "Guarded", ...guards });
  await site.call(site.adminToken, "PUT", "/api/v2/team/guarded/protection", { approverGroup: "releasers" });
  const made = await team.call("POST", "/subscription", { name: "till", channel: "webhook", target: { url: "http://127.0.0.1:9/nobody" } });
  await team.call("POST", `/subscription/${made.id}/test`);
  await linkCodehost(site, owner);
  lookAtEach(site, overTeams, team.tokens, { reader: team.reader.email });
});
