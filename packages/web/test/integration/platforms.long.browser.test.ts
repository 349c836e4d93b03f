import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { chatClient, chatServer } from "../../../server/test/fakes/chat-server.ts";
import { addInstallation, fakeCodehost } from "../../../server/test/fakes/fake-codehost.ts";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, takePictures } from "../kit/browser.ts";
import { openSite } from "../kit/site.ts";

/**
 * The page where the chat platform asks whether the app may be added: here it accepts immediately, and the browser is redirected with the
 * state.
 */
async function consentPage(back: string): Promise<string> {
  const server = createServer((request, response) => {
    const state = new URL(request.url ?? "/", "http://chat").searchParams.get("state") ?? "";
    response.writeHead(302, { location: `${back}&state=${encodeURIComponent(state)}` }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/authorize?client_id=client`;
}

describeInBrowser("platforms that a team is linked to", async () => {
  const site = await openSite({ MILLRACE_OUTBOUND_ALLOW: "127.0.0.1" });
  const codehost = await fakeCodehost();
  const chat = await chatServer();
  const config = Object.entries({
    "codehost.appName": "millrace-hawks",
    "codehost.appId": codehost.appId,
    "codehost.pem": codehost.pem,
    "codehost.webhookSecret": randomBytes(12).toString("hex"),
    "codehost.baseURL": codehost.url,
    "chat.signingSecret": randomBytes(12).toString("hex"),
    "chat.clientId": chatClient.id,
    "chat.clientSecret": chatClient.secret,
    "chat.installURL": await consentPage(`${site.address}/api/v2/integration/chat/auth?code=the-code`),
    "chat.baseURL": chat.url,
  }).map(([key, value]) => ({ key, value }));
  await site.call(site.adminToken, "PUT", "/api/v2/settings", [{ id: "integration", config }]);

  async function team() {
    const made = await site.make.team();
    return { ...made, owner: await site.make.member(made.id, "owner"), path: `/${made.name}/integrations?tab=platforms` };
  }

  test("an owner links an installation of the codehost, sees what it may see, and unlinks it", async () => {
    addInstallation(codehost, 4711, { login: "hawks", repositories: [1, 2].map((id) => ({ id, name: `shop-${id}` })) });
    const { owner, path } = await team();
    const page = await site.open(path, owner.token);
    const panel = page.getByRole("region", { name: "Code host" });
    const install = panel.getByRole("link", { name: "Install the app on your organisation" });
    expect(await install.getAttribute("href")).toMatch(/\/apps\/millrace-hawks\/installations\/select_target$/);

    await panel.getByLabel("Installation number").fill("999");
    await panel.getByRole("button", { name: "Link to this team" }).click();
    await panel.getByRole("alert").getByText("999").waitFor();
    await panel.getByLabel("Installation number").fill(" 4711 ");
    await panel.getByRole("button", { name: "Link to this team" }).click();
    await panel.getByText("Linked", { exact: true }).waitFor();
    expect(await panel.getByRole("link", { name: "hawks" }).getAttribute("href")).toBe("https://codehost.example/hawks");
    await panel.getByText("shop-1, shop-2").waitFor();
    await panel.getByText("push, pull_request").waitFor();
    await takePictures(page, "integrations-codehost-linked");
    await expectAccessible(page);

    await panel.getByRole("button", { name: "Unlink" }).click();
    const dialog = page.getByRole("dialog", { name: "Unlink the code host" });
    await dialog.getByText("no longer start workflows of this team").waitFor();
    await expectAccessible(page);
    await takePictures(page, "integrations-unlink");
    await dialog.getByRole("button", { name: "Unlink" }).click();
    await panel.getByText("Not linked").waitFor();
    await panel.getByRole("button", { name: "Unlink" }).waitFor({ state: "detached" });
  });

  test("linking an installation of another team is refused, and the owner sees why", async () => {
    addInstallation(codehost, 4712, { createdAt: new Date(Date.now() - 86_400_000).toISOString() });
    const { owner, path } = await team();
    const page = await site.open(path, owner.token);
    const panel = page.getByRole("region", { name: "Code host" });
    await panel.getByLabel("Installation number").fill("4712");
    await panel.getByRole("button", { name: "Link to this team" }).click();
    await panel.getByRole("alert").waitFor();
    await panel.getByText("Not linked").waitFor();
    await expectAccessible(page);
  });

  test("the panel says if the code host doesn't respond, and loading can be retried", async () => {
    addInstallation(codehost, 4713);
    const { name, owner, path } = await team();
    await site.call(owner.token, "POST", "/api/v2/integration/codehost/link", { ref: "4713", team: name });
    codehost.disturb("GET /app/installations/4713", ...Array.from({ length: 8 }, () => ({ status: 503, body: { message: "down" } })));
    const page = await site.open(path, owner.token);
    const panel = page.getByRole("region", { name: "Code host" });
    await panel.getByRole("alert").waitFor();
    await takePictures(page, "integrations-codehost-away");
    await expectAccessible(page);
    const reader = await site.openAs(
      "reader",
      { id: (await site.call<{ id: string }>(owner.token, "GET", `/api/v2/team/${name}`)).id },
      path,
    );
    const unlink = reader.getByRole("region", { name: "Code host" }).getByRole("button", { name: "Unlink" });
    expect(await unlink.getAttribute("aria-description")).toContain("integration/write");
  });

  test("an administrator adds the app to the chat and vouches for a workspace; then an owner links a team to it, and unlinks it", async () => {
    chat.addCode("the-code", {
      ok: true,
      access_token: "xoxb-of-the-browser-tests",
      app_id: "A1",
      scope: "commands,chat:write,users:read,users:read.email",
      team: { id: "T0HAWKS", name: "The Hawks" },
    });
    chat.addWorkspace({ ref: "T0HAWKS", token: "xoxb-of-the-browser-tests" });
    const [first, second] = [await team(), await team()];
    const admin = await site.open(first.path, site.adminToken);
    const panel = admin.getByRole("region", { name: "Chat" });
    const install = panel.getByRole("link", { name: "Add the app to your workspace" });
    // The flow ends in the chat program, which the browsers of the tests don't have.
    const consent = await admin.context().newPage();
    await consent.goto((await install.getAttribute("href")) as string).catch(() => undefined);
    await expect.poll(() => chat.callsOf("oauth.v2.access").length).toBe(1);

    const owner = await site.open(second.path, second.owner.token);
    const own = owner.getByRole("region", { name: "Chat" });
    await own.getByLabel("Workspace").fill("T0HAWKS");
    await own.getByRole("button", { name: "Link to this team" }).click();
    await own.getByRole("alert").getByText("administrator").waitFor();

    await admin.goto(site.address + first.path);
    await panel.getByLabel("Workspace").pressSequentially("t0");
    await admin.getByRole("option", { name: "T0HAWKS" }).click();
    await panel.getByRole("button", { name: "Link to this team" }).click();
    await panel.getByText("The Hawks can use this team").waitFor();
    await takePictures(admin, "integrations-chat-linked");
    await expectAccessible(admin);
    expect(await admin.content()).not.toContain("xoxb");

    await own.getByRole("button", { name: "Link to this team" }).click();
    await own.getByText("Linked", { exact: true }).waitFor();
    expect(await own.getByRole("alert").count()).toBe(0);
    await own.getByRole("button", { name: "Unlink" }).click();
    const dialog = owner.getByRole("dialog", { name: "Unlink the chat" });
    await expectAccessible(owner);
    await dialog.getByRole("button", { name: "Unlink" }).click();
    await own.getByText("Not linked").waitFor();
  });
});
