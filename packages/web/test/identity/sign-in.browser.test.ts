import { expect, test } from "vitest";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, takePictures } from "../kit/browser.ts";
import { openSite } from "../kit/site.ts";

describeInBrowser("signing in", async () => {
  const site = await openSite();

  test("an access token lets in without a click before it, and stays where no script can read it", async () => {
    const page = await site.open("/");
    await page.getByLabel("Access token").fill(site.adminToken);
    await takePictures(page, "sign-in");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL("**/home");
    expect(await page.evaluate("document.cookie + JSON.stringify(localStorage) + document.documentElement.outerHTML")).not.toContain(
      site.adminToken,
    );
  });

  test("a wrong token is refused in the words of the service", async () => {
    const page = await site.open("/sign-in");
    await page.getByLabel("Access token").fill("mrg_wrong");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("alert").getByText("the token is unknown").waitFor();
  });

  test("a page that was opened before signing in is shown afterwards", async () => {
    const { name } = await site.make.team();
    const page = await site.open(`/${name}/activity`);
    await page.getByLabel("Access token").fill(site.adminToken);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL(`**/${name}/activity`);
  });
});
