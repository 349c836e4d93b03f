import type { Scene } from "./deed.ts";

/** What several tables of deeds use. */
export const rowOf = ({ page }: Scene, text: string) => page.getByRole("row").filter({ hasText: text });

export const mailOf = ({ name }: Scene) => `${name}@example.com`;

/** Nobody answers there, and nobody has to. */
export const hookAddress = "http://127.0.0.1:9/hook";

export const taskDocument = (name: string) =>
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
