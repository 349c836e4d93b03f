import type { CodehostInstallation, Integration } from "@millrace/contract/integration.ts";
import { membersOf } from "../../base/text/json-text.ts";
import type { IntegrationSettings } from "../../domain/integration/integration-settings.ts";
import type { InstallationRow } from "../../store/integration/installations.ts";

const codehostInstructions = `Install the app on your organisation with the link, and choose the repositories that it can access. Then link the installation to this team within an hour (later, ask an administrator):

    POST /api/v2/integration/codehost/link
    {"ref": "<number of the installation>", "team": "<this team>"}

From then on, each event of these repositories starts the workflows of this team whose trigger \`codehost\` is enabled and matches. To stop
this for this team only, unlink it; the app stays installed until you remove it on the platform.`;

const chatInstructions = `Add the app to your workspace with the link; an administrator must first set the app's settings in the group \`integration\`. Then
link the workspace to this team:

    POST /api/v2/integration/chat/link
    {"ref": "<id of the workspace>", "team": "<this team>"}

The first link of a workspace needs an administrator, since Millrace then trusts the workspace to identify its people. From then on, people
of the workspace who are users here (with the email address that the platform has confirmed) can use their permissions in this team from the
chat: list, start and follow workflows, approve and reject.`;

/** @param installation the one that the team is linked to */
export function viewCodehost(settings: IntegrationSettings, installation: InstallationRow | undefined): Integration {
  const appName = settings.get("codehost.appName");
  return {
    id: "codehost_app",
    name: "Code host",
    link: appName && `${webAddress(settings.get("codehost.baseURL"))}/apps/${encodeURIComponent(appName)}/installations/select_target`,
    icon: "codehost",
    status: installation ? "linked" : "unlinked",
    description: "Starts workflows on events of your repositories.",
    instructions: codehostInstructions,
    ...(installation && { ref: installation.id }),
    isConfigured: appName !== "",
  };
}

/** The address for people: that of the API without `/api/v3` (a host of its own) or without `api.` before its name (the public service). */
function webAddress(apiAddress: string): string {
  return apiAddress.replace(/\/api(?:\/v\d+)?$/, "").replace(/^(https?:\/\/)api\./, "$1");
}

/** @param workspaceId id of the record of the workspace that the team is linked to */
export function viewChat(settings: IntegrationSettings, publicUrl: string, workspaceId: string | undefined): Integration {
  const isConfigured = settings.get("chat.installURL") !== "";
  return {
    id: "chat",
    name: "Chat",
    link: isConfigured ? `${publicUrl}/api/v2/integration/chat/install` : "",
    icon: "chat",
    status: workspaceId ? "linked" : "unlinked",
    description: "Starts and follows workflows from your chat workspace.",
    instructions: chatInstructions,
    ...(workspaceId && { ref: workspaceId }),
    isConfigured,
  };
}

/** From the platform's data; what it left out is empty. */
export function viewInstallation({ ref, data, repositories }: InstallationRow): CodehostInstallation {
  const account = membersOf(data["account"]);
  const events = Array.isArray(data["events"]) ? data["events"] : [];
  return {
    appId: text(data["app_id"]),
    installationId: Number(ref),
    orgSlug: text(account["login"]),
    orgUrl: text(account["html_url"]) || text(account["url"]),
    orgId: Number.isSafeInteger(account["id"]) ? (account["id"] as number) : 0,
    orgType: text(account["type"]),
    events: events.filter((event) => typeof event === "string"),
    repositories,
  };
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
