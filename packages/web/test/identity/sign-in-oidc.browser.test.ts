import { createServer } from "node:net";
import { expect, test } from "vitest";
import { testIssuer } from "../../../server/test/fakes/test-issuer.ts";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, takePictures } from "../kit/browser.ts";
import { openSite } from "../kit/site.ts";

/** Providers need to know the redirect URI in advance. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describeInBrowser("signing in by the organisation's provider", async () => {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const issuer = await testIssuer({ redirectUri: `${publicUrl}/api/v2/auth/oidc/callback` });
  const site = await openSite({
    MILLRACE_PORT: String(port),
    MILLRACE_PUBLIC_URL: publicUrl,
    MILLRACE_OIDC_ISSUER: issuer.url,
    MILLRACE_OIDC_CLIENT_ID: issuer.clientId,
    MILLRACE_OIDC_CLIENT_SECRET: issuer.clientSecret,
    MILLRACE_ADMIN_EMAILS: "grace@example.com",
  });

  test("leads through the provider and back to the page that was wanted", async () => {
    issuer.person = { sub: "grace", email: "grace@example.com", email_verified: true, name: "Grace" };
    const { name } = await site.make.team();
    const page = await site.open(`/${name}/schedules`);
    const way = page.getByRole("link", { name: "Continue with single sign-on" });
    await way.waitFor();
    await takePictures(page, "sign-in-organisation");
    await expectAccessible(page);
    await way.click();
    await page.waitForURL(`${publicUrl}/${name}/schedules`);
    await page.getByRole("heading", { name: "Schedules", level: 1 }).waitFor();
    expect((await page.context().cookies()).find((cookie) => cookie.name === "millrace-session")).toMatchObject({
      httpOnly: true,
      sameSite: "Lax",
    });
    await page.getByRole("button", { name: "Your account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL("**/sign-in");
    await page.goto(`${publicUrl}/home`);
    await page.getByLabel("Access token").waitFor();
  });
});
