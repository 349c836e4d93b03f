import type { Scene } from "./deed.ts";

/** What several tables of deeds use. */
export const rowOf = ({ page }: Scene, text: string) => page.getByRole("row").filter({ hasText: text });

export const mailOf = ({ name }: Scene) => `${name}@example.com`;

/** Nobody answers there, and nobody has to. */
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

/** By the page of tasks, of a team or of all. */
export async function createTask({ page, name }: Scene): Promise<void> {
  await page.getByRole("button", { name: "Create task" }).click();
  await page.getByText("YAML", { exact: true }).click();
  await page.getByRole("textbox", { name: "Document of the task" }).fill(taskDocument(name));
  await page.getByText("Can be saved as it is").waitFor();
  await page.getByRole("button", { name: "Create the task" }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

/** By the page of integrations, of a team or of all. */
export async function subscribe({ page, name }: Scene): Promise<void> {
  await page.getByRole("button", { name: "Create a subscription" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill(name);
  await page.getByRole("dialog").getByLabel("Address").fill(hookAddress);
  await page.getByRole("dialog").getByRole("button", { name: "Create the subscription" }).click();
  await page.getByRole("button", { name: "I have taken it" }).click();
  await page.getByRole("heading", { name, level: 2 }).waitFor();
}
