import type { Scene } from "./action.ts";

/** Parts that the tables of a workflow's actions use. */
export const writeWorkflow = { permission: "workflow/write", in: "team" } as const;

/** The URL of a view of the scene's workflow. */
export const viewOf =
  (view: string) =>
  ({ team, name }: Scene) =>
    `/${team.name}/workflows/${name}/${view}`;
export const made = ({ workflow, name }: Scene) => workflow(name);
export const read = ({ call, api, name }: Scene) => call<{ version: number; name: string }>("GET", `${api}/workflow/${name}`);

/** A request that saves the workflow with these members. */
export const put =
  (body: object) =>
  ({ api, name }: Scene) =>
    ["PUT", `${api}/workflow`, { name, ...body }] as const;
export const save = ({ page }: Scene) => page.getByRole("button", { name: "Save", exact: true });
export const savedAs = ({ page }: Scene, version: number) => page.getByText(`Saved as version ${version}.`).first().waitFor();
