import type { Scene } from "./action.ts";

/** Parts that several tables of actions use. */
export const rowOf = ({ page }: Scene, text: string) => page.getByRole("row").filter({ hasText: text });

export const mailOf = ({ name }: Scene) => `${name}@example.com`;

/** Nothing listens there, and nothing has to. */
export const hookAddress = "http://127.0.0.1:9/hook";

const taskDocument = (name: string) =>
  `apiVersion: tekton.dev/v1\nkind: Task\nmetadata:\n  name: ${name}\nspec:\n  steps:\n    - name: one\n      script: echo\n`;

export interface TeamView {
  members: { email: string; role: string }[];
  approverGroups: { name: string }[];
  parameters: { name: string; value: unknown }[];
  quotas: { maxConcurrentRuns: number };
  labels: Record<string, string>;
}

export const teamOf = ({ call, api }: Scene) => call<TeamView>("GET", api);

/** A request that changes the team. */
export const changeTeam =
  (body: (scene: Scene) => object) =>
  (scene: Scene): [string, string, object] => ["PATCH", scene.api, body(scene)];

/** On the page of tasks, of a team or global. */
export async function createTask({ page, name }: Scene): Promise<void> {
  await page.getByRole("button", { name: "Create task" }).click();
  await page.getByText("YAML", { exact: true }).click();
  await page.getByRole("textbox", { name: "Task document" }).fill(taskDocument(name));
  await page.getByText("Valid").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Create task" }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

/** On the page of integrations, of a team or of the instance. */
export async function subscribe({ page, name }: Scene): Promise<void> {
  await page.getByRole("button", { name: "Create subscription" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill(name);
  await page.getByRole("dialog").getByLabel("URL").fill(hookAddress);
  await page.getByRole("dialog").getByRole("button", { name: "Create subscription" }).click();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("heading", { name, level: 2 }).waitFor();
}
