import { ref } from "@millrace/contract/schema.ts";
import { type Navigation, navigation } from "@millrace/contract/settings/system.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import type { InstanceSettings } from "../../core/settings/instance-settings.ts";
import { allows, canSeeTeam } from "../../policy/allows.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findTeamReference } from "../../store/team/directory.ts";
import { defineEndpoint, type Permission, type Principal, reply } from "../endpoint.ts";

export const listNavigation = defineEndpoint({
  method: "GET",
  path: "/api/v2/navigation",
  summary: "List the links of the user interface",
  description:
    "Only links that are enabled and that you can read. Without a team, the links of a team are disabled. Can be cached for a minute.",
  tag: "System",
  permission: "signed-in",
  transaction: "none",
  query: Type.Object({ team: Type.Optional(Type.String({ description: "Name or ID of the current team" })) }),
  response: Type.Array(ref(navigation)),
  async handle({ db, query, principal, services }) {
    const team = query.team ? await findVisibleTeam(db, principal, query.team) : undefined;
    const { features } = await services.runs.settings.load(db);
    return reply({
      headers: { "cache-control": "private, max-age=60", vary: "authorization, x-access-token, cookie" },
      body: viewNavigation(principal, features, team),
    });
  },
});

async function findVisibleTeam(db: Queryable, principal: Principal, reference: string) {
  const team = await findTeamReference(db, reference);
  if (team === undefined || !canSeeTeam(principal, team.id)) throw new AppError("TEAM_INVALID_REF", [reference]);
  return team;
}

/** A target of the navigation, if the caller may go there. */
interface Place {
  name: string;
  icon?: string;
  path: string;
  permission: Permission;
  isOn: boolean;
  beta?: boolean;
}

type Features = InstanceSettings["features"];

function teamPlaces(features: Features): (Place | "divider")[] {
  return [
    { name: "Workflows", icon: "FlowData", path: "/workflows", permission: "workflow/read", isOn: true },
    { name: "Activity", icon: "Activity", path: "/activity", permission: "workflowrun/read", isOn: features.activity },
    { name: "Actions", icon: "Stamp", path: "/actions", permission: "action/read", isOn: true },
    { name: "Insights", icon: "ChartScatter", path: "/insights", permission: "insights/read", isOn: features.insights },
    { name: "Schedules", icon: "CalendarHeatMap", path: "/schedules", permission: "schedule/read", isOn: true },
    { name: "Integrations", icon: "AppConnectivity", path: "/integrations", permission: "integration/read", isOn: true, beta: true },
    "divider",
    { name: "Task Manager", icon: "TaskSettings", path: "/task-manager", permission: "task/read", isOn: features.teamTasks },
    { name: "Parameters", icon: "Parameter", path: "/parameters", permission: "parameter/read", isOn: features.teamParameters },
    { name: "Manage Team", icon: "SettingsAdjust", path: "/manage", permission: "team/read", isOn: true },
  ];
}

/** Everyone may read global tasks and templates, so their administration is shown only to those who may write them. */
function adminPlaces(features: Features): Place[] {
  return [
    { name: "Teams", path: "/admin/teams", permission: "team/read", isOn: features.teamManagement },
    { name: "Users", path: "/admin/users", permission: "user/read", isOn: features.userManagement },
    { name: "Global Parameters", path: "/admin/parameters", permission: "parameter/read", isOn: features.globalParameters },
    { name: "Global Tokens", path: "/admin/tokens", permission: "token/read", isOn: true },
    { name: "Settings", path: "/admin/settings", permission: "system/read", isOn: true },
    { name: "Task Manager", path: "/admin/task-manager", permission: "task/write", isOn: true },
    { name: "Template Workflows", path: "/admin/template-workflows", permission: "workflowtemplate/write", isOn: true },
    { name: "Workers", path: "/admin/workers", permission: "system/read", isOn: true },
    { name: "History", path: "/admin/history", permission: "system/read", isOn: true },
    { name: "Events", path: "/admin/events", permission: "integration/read", isOn: true },
    { name: "Insights", path: "/admin/insights", permission: "insights/read", isOn: features.insights },
    { name: "Audit", path: "/admin/audit", permission: "system/read", isOn: true },
  ];
}

const divider: Navigation = { type: "divider", disabled: false, beta: false };

/** @param team undefined: none is chosen, and the links of a team are shown disabled */
function viewNavigation(principal: Principal, features: Features, team: { id: string; name: string } | undefined): Navigation[] {
  const mayEnter = ({ isOn, permission }: Place) => isOn && (team === undefined || allows(principal, permission, team.id));
  const ofTeam = teamPlaces(features)
    .filter((place) => place === "divider" || mayEnter(place))
    .map((place) => (place === "divider" ? divider : teamLink(place, team?.name)));
  const children = adminPlaces(features)
    .filter(({ isOn, permission }) => isOn && allows(principal, permission))
    .map(({ name, path }): Navigation => ({ name, type: "link", link: path, disabled: false, beta: false }));
  const home: Navigation = { name: "Home", type: "link", icon: "Home", link: "/home", disabled: false, beta: false };
  const menu: Navigation = { name: "Administer", type: "menu", icon: "Settings", disabled: false, beta: false, childLinks: children };
  return [home, divider, ...ofTeam, ...(children.length > 0 ? [menu] : [])];
}

function teamLink({ name, icon, path, beta = false }: Place, team: string | undefined): Navigation {
  return {
    name,
    type: "link",
    ...(icon && { icon }),
    ...(team !== undefined && { link: `/${team}${path}` }),
    disabled: team === undefined,
    beta,
  };
}
