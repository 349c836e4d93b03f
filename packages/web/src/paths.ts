/**
 * Every address of the interface, in one place: pages and links are made of these and of nothing else. The team's places are those
 * of `GET /api/v2/navigation`.
 */

const enc = encodeURIComponent;

export const paths = {
  home: () => "/home",
  /** @param isEnded the session is over, which is told */
  signIn: (returnTo?: string, isEnded = false) => {
    const search = new URLSearchParams({ ...(returnTo && { returnTo }), ...(isEnded && { ended: "true" }) }).toString();
    return search === "" ? "/sign-in" : `/sign-in?${search}`;
  },
  activate: () => "/activate",
  /** Where the sign-in of a program is approved. */
  device: () => "/sign-in/device",
  /** Where the link of an invitation leads. */
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
 * What may stand behind the `?` of an address: what somebody chose to see on a page. The router's types know these members and no
 * others, so that a link can't say what no page reads. Pages read them by `useSearchState`.
 */
export interface PageSearch {
  // Lists: what is searched, by what they are filtered, in which order, and which part is shown.
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
  // Days and ranges, and the clocks that they are of.
  date?: string;
  range?: string;
  from?: string;
  to?: string;
  timezone?: string;
  // The part of a page, and how it is shown.
  view?: string;
  tab?: string;
  part?: string;
  group?: string;
  /** The groups of a list that are unfolded. */
  unfolded?: string[];
  of?: string;
  format?: string;
  wide?: boolean;
  // The one thing that is open, edited or about to be created.
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
  /** Of a log: a number, or a range such as `3-7`. */
  line?: string | number;
  version?: number;
  before?: number;
  /** In the designer: the failed run that is rerun once it is saved. On the page of a run: with which version. */
  rerun?: string | number;
  after?: number;
  create?: boolean;
  new?: string;
  template?: string;
  try?: string;
  in?: string;
  // The log of changes.
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
