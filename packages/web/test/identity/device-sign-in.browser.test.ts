import { once } from "node:events";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type Cli, cliProcess } from "../../../cli/test/cli-process.ts";
import { cheapPasswordHash } from "../../../server/test/kit/cheap-password.ts";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, takePictures } from "../kit/browser.ts";
import { openSite } from "../kit/site.ts";

describeInBrowser("the sign-in of the command line", async () => {
  const site = await openSite();
  const cli = await cliProcess();
  const password = "correct horse battery";
  const user = await site.make.user({ email: "ada@example.com" });
  await site.sql`update app_user set password_hash = ${cheapPasswordHash(password)} where id = ${user.id}`;

  const enter = async (page: Page, code: string) => {
    await page.getByLabel("Code").fill(code);
    await page.getByRole("button", { name: "Continue" }).click();
  };

  test("a person approves it in the browser, and the program is signed in as that person; refused, it ends and says so", async () => {
    const login = await startLogin(cli, site.address);
    const page = await site.open("/sign-in/device");
    await page.getByLabel("Email address").fill("ada@example.com");
    await page.getByRole("textbox", { name: "Password" }).fill(password);
    await page.getByRole("button", { name: "Sign in with password" }).click();
    await page.waitForURL("**/sign-in/device");
    await page.getByText("You are signed in as ada@example.com.").waitFor();
    await takePictures(page, "device-code");
    await expectAccessible(page);
    await enter(page, "BBBB-BBBB");
    await page.getByRole("alert").getByText("it is wrong, was used or has expired").waitFor();
    await enter(page, login.code.toLowerCase());
    await page.getByText("millrace-cli").waitFor();
    await page.getByText(login.code, { exact: true }).waitFor();
    await takePictures(page, "device-decision");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Approve sign-in" }).click();
    await page.getByRole("heading", { name: "Sign-in approved" }).waitFor();
    await takePictures(page, "device-approved");
    expect(await login.ended).toMatchObject({ code: 0, out: expect.stringContaining(`Signed in to ${site.address} as `) });
    expect(await cli.run(["token", "list", "-o", "json"])).toMatchObject({ code: 0, out: expect.stringContaining("millrace login on ") });
    await page.getByRole("link", { name: "your access tokens" }).click();
    await page.getByText(/^millrace login on /).waitFor();

    const other = await startLogin(cli, site.address);
    await page.goto(`${site.address}/sign-in/device`);
    await enter(page, other.code);
    await page.getByText(other.code, { exact: true }).waitFor();
    await page.getByRole("button", { name: "Refuse" }).click();
    await page.getByRole("heading", { name: "Sign-in refused" }).waitFor();
    expect(await other.ended).toMatchObject({ code: 3, out: "", error: expect.stringContaining("The sign-in was refused in the browser") });
  });
});

/** Resolves once it has printed the URL to open, and the code. */
async function startLogin(cli: Cli, address: string) {
  const { child, ended } = cli.start(["login", address, "--web"]);
  let said = "";
  child.stderr!.on("data", (chunk) => {
    said += chunk;
  });
  const find = () => /^Open (\S+) and enter the code (\S+)$/m.exec(said);
  while (find() === null) await once(child.stderr!, "data", { signal: AbortSignal.timeout(30_000) });
  const [, page, code] = find()!;
  expect(page).toBe(`${address}/sign-in/device`);
  return { code: code!, ended };
}
