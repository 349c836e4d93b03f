/**
 * All URLs of the interface, in one place: pages and links use only these. The paths inside a team are those of `GET /api/v2/navigation`.
 */

const enc = encodeURIComponent;

export const paths = {
  home: () => "/home",
  /** @param isEnded whether to say that the session has ended */
  signIn: (returnTo?: string, isEnded = false) => {
    const search = new URLSearchParams({ ...(returnTo && { returnTo }), ...(isEnded && { ended: "true" }) }).toString();
    return search === "" ? "/sign-in" : `/sign-in?${search}`;
  },
  activate: () => "/activate",
  /** The page on which a program's sign-in is approved. */
  device: () => "/sign-in/device",
  /** The page of an invitation link. */
  invitation: () => "/sign-in/invitation",
  profile: (section = "account") => `/profile/${section}`,
  kit: () => "/kit",

  workflows: (team: string) => `/${enc(team)}/workflows`,
  workflowCreate: (team: string) => `/${enc(team)}/workflows/create`,
  /** @param view overview, runs, design, code, tests, versions or configure */
  workflow: (team: string, workflow: string, view = "overview") => `/${enc(team)}/workflows/${enc(workflow)}/${view}`,
  workflowConfigure: (team: string, workflow: string, section = "general") =>
    `/${enc(team)}/workflows/${enc(workflow)}/configure/${section}`,
  activity: (team: string) => `/${enc(team)}/activity`,
  run: (team: string, run: string) => `/${enc(team)}/activity/${enc(run)}`,
  actions: (team: string) => `/${enc(team)}/actions`,
  action: (team: string, action: string) => `/${enc(team)}/actions/${enc(action)}`,
  schedules: (team: string) => `/${enc(team)}/schedules`,
  insights: (team: string) => `/${enc(team)}/insights`,
  integrations: (team: string) => `/${enc(team)}/integrations`,
  teamTasks: (team: string) => `/${enc(team)}/task-manager`,
  teamTask: (team: string, task: string) => `/${enc(team)}/task-manager/${enc(task)}`,
  parameters: (team: string) => `/${enc(team)}/parameters`,
  /** @param section members, approvers, protection, quotas, tokens, audit or settings */
  manage: (team: string, section = "members") => `/${enc(team)}/manage/${section}`,

  /** @param section teams, users, parameters, tokens, settings, workers, events, insights or audit */
  admin: (section = "teams") => `/admin/${section}`,
  globalTasks: () => "/admin/task-manager",
  globalTask: (task: string) => `/admin/task-manager/${enc(task)}`,
  templates: () => "/admin/template-workflows",
  template: (template: string) => `/admin/template-workflows/${enc(template)}`,
};

/**
 * The search parameters of the interface's URLs: what a user selected on a page. The router's types allow only these members, so that links
 * can't set parameters that no page reads. Pages read them with `useSearchState`.
 */
export interface PageSearch {
  // Lists: search, filters, order, and the visible page.
  q?: string;
  find?: string;
  show?: string;
  status?: string;
  statuses?: string[];
  type?: string;
  types?: string[];
  kind?: string;
  category?: string;
  workflow?: string;
  workflows?: string[];
  triggers?: string[];
  labels?: string[];
  mine?: boolean;
  overdue?: boolean;
  sort?: string;
  desc?: boolean;
  page?: number;
  // Days and time ranges, and their time zone.
  date?: string;
  range?: string;
  from?: string;
  to?: string;
  timezone?: string;
  // The section of a page, and how it is displayed.
  view?: string;
  tab?: string;
  part?: string;
  group?: string;
  /** The expanded groups of a list. */
  unfolded?: string[];
  of?: string;
  format?: string;
  wide?: boolean;
  // The object that is open, being edited or about to be created.
  schedule?: string;
  edit?: string;
  subscription?: string;
  test?: string;
  delivery?: string;
  entry?: string;
  node?: string;
  open?: boolean;
  task?: string;
  step?: string;
  level?: string;
  /** In a log: a line number, or a range such as `3-7`. */
  line?: string | number;
  version?: number;
  before?: number;
  /** In the designer: the failed run to rerun after saving. On the page of a run: the version to rerun it with. */
  rerun?: string | number;
  after?: number;
  create?: boolean;
  new?: string;
  template?: string;
  try?: string;
  in?: string;
  // The audit log.
  actor?: string;
  action?: string;
  object?: string;
  inTeam?: string;
  request?: string;
  // Signing in.
  returnTo?: string;
  with?: string;
  ended?: boolean;
}
