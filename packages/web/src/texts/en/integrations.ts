export const integrations = {
  chatPlatform: {
    unlink: "Unlink",
    workspace: "A workspace",
    useTeamMembersDo: "{name} can use this team: its members can do there what they can do here. Type <code></code> to begin.",
    addAppWorkspaceThen:
      "<link>Add the app to your workspace</link>, then link the workspace. The first link of a workspace needs an administrator.",
    workspaceLabel: "Workspace",
    workspaceHelp: "The platform's workspace ID, such as T0HAWKS",
    chat: "the chat",
    workspaceNoLongerUse: "The workspace can no longer use this team, and no events are posted there.",
  },
  codehostPlatform: {
    unlink: "Unlink",
    installAppOrganisation:
      "<link>Install the app on your organisation</link> and select the repositories that it can access. Then link the installation within an hour; after that, ask an administrator.",
    installationNumber: "Installation number",
    installationNumberHelp: "The last part of the URL after the installation",
    codehost: "the codehost",
    eventsNoLongerStart: "Events no longer start workflows of this team, and tasks get no tokens for these repositories.",
    loadingCodeHost: "Loading from the code host",
    organisation: "Organisation",
    installation: "Installation",
    events: "Events",
    noneReportedYet: "None reported yet",
    repositories: "Repositories",
  },
  integrationsPage: {
    integrations: "Integrations",
    notificationsConnectedServices: "Notifications and connected services",
    integrationTypes: "Integration types",
    outgoingEvents: "Outgoing events",
    gitHostingChat: "Git hosting and chat",
  },
  linkForm: {
    linkTeam: "Link to this team",
  },
  platform: {
    linked: "Linked",
    notLinked: "Not linked",
    notConfigured: "Not configured",
    seeSettingsGroup: "See the settings group <code></code>: <keys></keys>.",
    openSettings: "Open the settings",
    administratorMustConfigure: "An administrator must configure it first",
  },
  platformsSection: {
    loadingIntegrations: "Loading integrations",
  },
  unlinkDialog: {
    otherTeamsStayLinked: "{consequence} Other teams stay linked. You can link this team again.",
    unlink: "Unlink {name}",
    unlinkAction: "Unlink",
  },
} as const;
