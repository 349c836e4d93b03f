import { createRootRoute, createRoute, lazyRouteComponent, redirect, type SearchSchemaInput } from "@tanstack/react-router";
import { NotFoundPage, RouteError } from "./pages/error-pages.tsx";
import type { PageSearch } from "./paths.ts";

/**
 * The routes of the interface. Each page is loaded when it is opened. What a page shows beyond its path (filters, the selected task, a tab)
 * is in the search parameters, read by `useSearchState` (hooks/use-search-state.ts).
 */
const root = createRootRoute({
  // Nothing is rejected here: each page uses the parameters it understands.
  validateSearch: (search: PageSearch & SearchSchemaInput): PageSearch => search,
  notFoundComponent: NotFoundPage,
  errorComponent: RouteError,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  component: lazyRouteComponent(() => import("./pages/sign-in/sign-in-page.tsx"), "SignInPage"),
});
const invitation = createRoute({
  getParentRoute: () => root,
  path: "/sign-in/invitation",
  component: lazyRouteComponent(() => import("./pages/sign-in/invitation-page.tsx"), "InvitationPage"),
});
const activate = createRoute({
  getParentRoute: () => root,
  path: "/activate",
  component: lazyRouteComponent(() => import("./pages/sign-in/activate-page.tsx"), "ActivatePage"),
});

/** Pages that require a signed-in user. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  component: lazyRouteComponent(() => import("./pages/page-frames.tsx"), "SignedIn"),
});
const signedInAlone = createRoute({
  getParentRoute: () => root,
  id: "signed-in-alone",
  component: lazyRouteComponent(() => import("./pages/page-frames.tsx"), "SignedInAlone"),
});
const device = createRoute({
  getParentRoute: () => signedInAlone,
  path: "/sign-in/device",
  component: lazyRouteComponent(() => import("./pages/sign-in/device-page.tsx"), "DevicePage"),
});
const start = createRoute({
  getParentRoute: () => signedIn,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/home" });
  },
});
const home = createRoute({
  getParentRoute: () => signedIn,
  path: "/home",
  component: lazyRouteComponent(() => import("./pages/home/home-page.tsx"), "HomePage"),
});
const profile = createRoute({
  getParentRoute: () => signedIn,
  path: "/profile/$section",
  component: lazyRouteComponent(() => import("./pages/profile/profile-page.tsx"), "ProfilePage"),
});
const kit = createRoute({
  getParentRoute: () => signedIn,
  path: "/kit",
  component: lazyRouteComponent(() => import("./pages/kit/kit-page.tsx"), "KitPage"),
});

const globalTasks = createRoute({
  getParentRoute: () => signedIn,
  path: "/admin/task-manager",
  component: lazyRouteComponent(() => import("./pages/tasks/tasks-page.tsx"), "GlobalTasksPage"),
});
const globalTask = createRoute({
  getParentRoute: () => signedIn,
  path: "/admin/task-manager/$task",
  component: lazyRouteComponent(() => import("./pages/tasks/task-page.tsx"), "GlobalTaskPage"),
});
const templates = createRoute({
  getParentRoute: () => signedIn,
  path: "/admin/template-workflows",
  component: lazyRouteComponent(() => import("./pages/templates/templates-page.tsx"), "TemplatesPage"),
});
const template = createRoute({
  getParentRoute: () => signedIn,
  path: "/admin/template-workflows/$template",
  component: lazyRouteComponent(() => import("./pages/templates/template-page.tsx"), "TemplatePage"),
});
const admin = createRoute({
  getParentRoute: () => signedIn,
  path: "/admin/$section",
  component: lazyRouteComponent(() => import("./pages/admin/admin-page.tsx"), "AdminPage"),
});

const adminStart = createRoute({
  getParentRoute: () => signedIn,
  path: "/admin",
  beforeLoad: () => {
    throw redirect({ to: "/admin/$section", params: { section: "teams" } });
  },
});
const profileStart = createRoute({
  getParentRoute: () => signedIn,
  path: "/profile",
  beforeLoad: () => {
    throw redirect({ to: "/profile/$section", params: { section: "account" } });
  },
});

/** The pages of a team. The frame loads the team, or shows that it doesn't exist. */
const team = createRoute({
  getParentRoute: () => signedIn,
  path: "/$team",
  component: lazyRouteComponent(() => import("./pages/page-frames.tsx"), "TeamFrame"),
});
const teamStart = createRoute({
  getParentRoute: () => team,
  path: "/",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/$team/workflows", params: { team: params.team } });
  },
});
const workflows = createRoute({
  getParentRoute: () => team,
  path: "/workflows",
  component: lazyRouteComponent(() => import("./pages/workflows/workflows-page.tsx"), "WorkflowsPage"),
});
const workflowCreate = createRoute({
  getParentRoute: () => team,
  path: "/workflows/create",
  component: lazyRouteComponent(() => import("./pages/workflows/create-workflow-page.tsx"), "CreateWorkflowPage"),
});
const workflow = createRoute({
  getParentRoute: () => team,
  path: "/workflows/$workflow",
  component: lazyRouteComponent(() => import("./pages/workflow/workflow-frame.tsx"), "WorkflowFrame"),
});
const workflowStart = createRoute({
  getParentRoute: () => workflow,
  path: "/",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/$team/workflows/$workflow/overview", params });
  },
});
const workflowOverview = createRoute({
  getParentRoute: () => workflow,
  path: "/overview",
  component: lazyRouteComponent(() => import("./pages/workflow/overview-page.tsx"), "OverviewPage"),
});
const workflowRuns = createRoute({
  getParentRoute: () => workflow,
  path: "/runs",
  component: lazyRouteComponent(() => import("./pages/workflow/workflow-runs-page.tsx"), "WorkflowRunsPage"),
});
const design = createRoute({
  getParentRoute: () => workflow,
  path: "/design",
  component: lazyRouteComponent(() => import("./editor/designer.tsx"), "Designer"),
});
const code = createRoute({
  getParentRoute: () => workflow,
  path: "/code",
  component: lazyRouteComponent(() => import("./editor/code/code-view.tsx"), "CodeView"),
});
const tests = createRoute({
  getParentRoute: () => workflow,
  path: "/tests",
  component: lazyRouteComponent(() => import("./pages/workflow/tests/tests-page.tsx"), "TestsPage"),
});
const versions = createRoute({
  getParentRoute: () => workflow,
  path: "/versions",
  component: lazyRouteComponent(() => import("./pages/workflow/versions-page.tsx"), "VersionsPage"),
});
const configureStart = createRoute({
  getParentRoute: () => workflow,
  path: "/configure",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/$team/workflows/$workflow/configure/$section", params: { ...params, section: "general" } });
  },
});
const configure = createRoute({
  getParentRoute: () => workflow,
  path: "/configure/$section",
  component: lazyRouteComponent(() => import("./pages/configure/configure-page.tsx"), "ConfigurePage"),
});
const activity = createRoute({
  getParentRoute: () => team,
  path: "/activity",
  component: lazyRouteComponent(() => import("./pages/activity/activity-page.tsx"), "ActivityPage"),
});
const run = createRoute({
  getParentRoute: () => team,
  path: "/activity/$run",
  component: lazyRouteComponent(() => import("./pages/run/run-page.tsx"), "RunPage"),
});
const actions = createRoute({
  getParentRoute: () => team,
  path: "/actions",
  component: lazyRouteComponent(() => import("./pages/actions/actions-page.tsx"), "ActionsPage"),
});
const action = createRoute({
  getParentRoute: () => team,
  path: "/actions/$action",
  component: lazyRouteComponent(() => import("./pages/actions/action-page.tsx"), "ActionPage"),
});
const schedules = createRoute({
  getParentRoute: () => team,
  path: "/schedules",
  component: lazyRouteComponent(() => import("./pages/schedules/schedules-page.tsx"), "SchedulesPage"),
});
const insights = createRoute({
  getParentRoute: () => team,
  path: "/insights",
  component: lazyRouteComponent(() => import("./pages/insights/insights-page.tsx"), "InsightsPage"),
});
const integrations = createRoute({
  getParentRoute: () => team,
  path: "/integrations",
  component: lazyRouteComponent(() => import("./pages/integrations/integrations-page.tsx"), "IntegrationsPage"),
});
const teamTasks = createRoute({
  getParentRoute: () => team,
  path: "/task-manager",
  component: lazyRouteComponent(() => import("./pages/tasks/tasks-page.tsx"), "TeamTasksPage"),
});
const teamTask = createRoute({
  getParentRoute: () => team,
  path: "/task-manager/$task",
  component: lazyRouteComponent(() => import("./pages/tasks/task-page.tsx"), "TeamTaskPage"),
});
const parameters = createRoute({
  getParentRoute: () => team,
  path: "/parameters",
  component: lazyRouteComponent(() => import("./pages/parameters/team-parameters-page.tsx"), "TeamParametersPage"),
});
const manageStart = createRoute({
  getParentRoute: () => team,
  path: "/manage",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/$team/manage/$section", params: { team: params.team, section: "members" } });
  },
});
const manage = createRoute({
  getParentRoute: () => team,
  path: "/manage/$section",
  component: lazyRouteComponent(() => import("./pages/manage/manage-page.tsx"), "ManagePage"),
});

const elsewhere = createRoute({ getParentRoute: () => signedIn, path: "$", component: NotFoundPage });
const elsewhereInTeam = createRoute({ getParentRoute: () => team, path: "$", component: NotFoundPage });

export const routeTree = root.addChildren([
  signIn,
  activate,
  invitation,
  signedInAlone.addChildren([device]),
  signedIn.addChildren([
    start,
    home,
    profileStart,
    profile,
    kit,
    globalTasks,
    globalTask,
    templates,
    template,
    adminStart,
    admin,
    team.addChildren([
      teamStart,
      workflows,
      workflowCreate,
      workflow.addChildren([workflowStart, workflowOverview, workflowRuns, design, code, tests, versions, configureStart, configure]),
      activity,
      run,
      actions,
      action,
      schedules,
      insights,
      integrations,
      teamTasks,
      teamTask,
      parameters,
      manageStart,
      manage,
      elsewhereInTeam,
    ]),
    elsewhere,
  ]),
]);
