import { expect } from "vitest";
import { type Action, admins, editors, everybody } from "./action.ts";
import { createTask } from "./scene-parts.ts";

const writeTasks = { permission: "task/write", in: "instance" } as const;
const writeTemplates = { permission: "workflowtemplate/write", in: "instance" } as const;
const templateText = (name: string) => `name: ${name}\ndescription: Does nothing\ntasks: []\n`;

/** Tasks and templates of all teams: everyone reads them. */
export const sharedActions: readonly Action[] = [
  {
    screen: "/admin/task-manager",
    action: "create a global task",
    may: admins,
    needs: writeTasks,
    at: () => "/admin/task-manager",
    button: ({ page }) => page.getByRole("button", { name: "Create task" }),
    does: createTask,
    done: async ({ call, name }) => expect(await call("GET", `/api/v2/task/${name}`)).toMatchObject({ version: 1 }),
    request: ({ name }) => ["PUT", `/api/v2/task/${name}`, { type: "script", spec: { script: "echo" } }],
  },
  {
    screen: "/admin/task-manager/$task",
    action: "save a version of a global task",
    may: admins,
    needs: writeTasks,
    given: async ({ ask, name }) => void (await ask("PUT", `/api/v2/task/${name}`, { type: "script", spec: { script: "echo" } })),
    at: ({ name }) => `/admin/task-manager/${name}`,
    button: ({ page }) => page.getByRole("button", { name: "Save", exact: true }),
    async does({ page }) {
      await page.getByRole("textbox", { name: "Description" }).fill("Says something");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByRole("button", { name: "Save as version 2" }).click();
      await page.getByText("Version 2 saved").waitFor();
    },
    done: async ({ call, name }) => expect(await call("GET", `/api/v2/task/${name}`)).toMatchObject({ version: 2 }),
    request: ({ name }) => ["PUT", `/api/v2/task/${name}`, { type: "script", spec: { script: "true" } }],
  },
  {
    screen: "/admin/template-workflows",
    action: "make a template of a workflow",
    may: admins,
    needs: writeTemplates,
    given: ({ workflow, name }) => workflow(name),
    at: () => "/admin/template-workflows",
    button: ({ page }) => page.getByRole("button", { name: "Create template" }),
    async does({ page, team, name }) {
      await page.getByRole("button", { name: "Create template" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("combobox", { name: "Team" }).click();
      await page.getByRole("option", { name: team.name }).click();
      await dialog.getByRole("combobox", { name: "Workflow" }).fill(name);
      await page.getByRole("option", { name }).click();
      await dialog.getByRole("button", { name: "Preview" }).click();
      await dialog.getByRole("button", { name: "Create template" }).click();
      await page.getByRole("heading", { level: 1, name }).waitFor();
    },
    done: async ({ call, name }) => expect(await call("GET", `/api/v2/workflowtemplate/${name}`)).toMatchObject({ version: 1 }),
    request: ({ name }) => ["POST", "/api/v2/workflowtemplate", { name, tasks: [] }],
  },
  {
    screen: "/admin/template-workflows/$template",
    action: "begin a workflow of the team with it",
    may: editors,
    needs: { permission: "workflow/write", in: "team" },
    at: () => "/admin/template-workflows/approve-then-run",
    button: ({ page }) => page.getByRole("button", { name: "Use in a team" }),
    async does({ page, team, name }) {
      await page.getByRole("button", { name: "Use in a team" }).click();
      await page.getByRole("menuitem", { name: team.name }).click();
      await page.getByLabel("Name of the new workflow").fill(name);
      await page.getByRole("button", { name: "Use template" }).click();
      await page.waitForURL(`**/${team.name}/workflows/${name}/design`);
    },
    done: async ({ call, api, name }) => expect(await call("GET", `${api}/workflow/${name}`)).toMatchObject({ version: 1 }),
    request: ({ api, name }) => ["POST", `${api}/workflow`, { name, tasks: [] }],
  },
  {
    screen: "/admin/template-workflows/$template",
    action: "save a version of a template",
    may: admins,
    needs: writeTemplates,
    given: async ({ ask, name }) => void (await ask("POST", "/api/v2/workflowtemplate", { name, description: "Waiting", tasks: [] })),
    at: ({ name }) => `/admin/template-workflows/${name}?view=yaml`,
    button: ({ page }) => page.getByRole("button", { name: "Save as new version" }),
    async does({ page, name }) {
      await page.getByRole("textbox", { name: "Template as YAML" }).fill(templateText(name));
      await page.getByRole("button", { name: "Save as new version" }).click();
      await page.getByText("version 2", { exact: false }).first().waitFor();
    },
    done: async ({ call, name }) =>
      expect(await call("GET", `/api/v2/workflowtemplate/${name}`)).toMatchObject({ version: 2, description: "Does nothing" }),
    request: ({ name }) => ["PUT", "/api/v2/workflowtemplate", { name, description: "Does nothing", tasks: [] }],
  },
  {
    screen: "/admin/template-workflows/$template",
    action: "read what it does",
    may: everybody,
    at: () => "/admin/template-workflows/approve-then-run",
    does: ({ page }) => page.getByRole("img", { name: /: start, ask/ }).waitFor(),
  },
];
