import { describeInBrowser } from "../kit/browser.ts";
import { openSite, type Site } from "../kit/site.ts";
import { lookAtEach, shop } from "./look-at-each.ts";
import { overPeopleAndInstance } from "./people-and-instance.ts";

/** The cookie of a user who has signed in twice with a password. */
async function signedInTwice(site: Site, user: { id: string; email: string }): Promise<string> {
  const { code } = await site.call<{ code: string }>(site.adminToken, "POST", `/api/v2/user/${user.id}/password-code`);
  const [email, password] = [user.email, "correct horse battery"];
  await site.call(site.adminToken, "POST", "/api/v2/auth/password/reset", { email, code, new: password });
  const signIn = async () => {
    const body = JSON.stringify({ email, password });
    const answer = await fetch(`${site.address}/api/v2/auth/password`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    return /millrace-session=([^;]+)/.exec(answer.headers.get("set-cookie") ?? "")?.[1] as string;
  };
  await signIn();
  return signIn();
}

describeInBrowser("dialogs and menus of the administration and of one's own account", async () => {
  const site = await openSite();
  const team = await shop(site);
  await site.make.user({ email: "ada@example.com" });
  await site.call(site.adminToken, "POST", "/api/v2/parameters", { name: "registry", type: "password", value: "0pen-sesame" });
  const owner = await signedInTwice(site, await site.make.user({ email: "grace@example.com" }));
  lookAtEach(site, overPeopleAndInstance, { ...team.tokens, owner });
});
