export const integrations = {
  chatPlatform: {
    unlink: "Unlink",
    workspaceLabel: "Workspace",
    workspaceHelp: "The platform's workspace ID, such as T0HAWKS",
    workspaceNoLongerUse: "The workspace can no longer use this team, and no events are posted there.",
  },
  codehostPlatform: {
    installationNumber: "Installation number",
    installationNumberHelp: "The last part of the URL after the installation",
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
    otherTeamsStayLinked: "Other teams stay linked. You can link this team again.",
    seeTheSettingsGroup: "See the settings group",
    notLinked: "Not linked",
    notConfigured: "Not configured",
    openSettings: "Open the settings",
    administratorMustConfigure: "An administrator must configure it first",
  },
  platformsSection: {
    andSelectTheRepositories:
      "and select the repositories that it can access. Then link the installation within an hour; after that, ask an administrator.",
    installTheAppOn: "Install the app on your organisation",
    thenLinkTheWorkspace: ", then link the workspace. The first link of a workspace needs an administrator.",
    addTheAppTo: "Add the app to your workspace",
    toBegin: "to begin.",
    canUseThisTeam: "can use this team: its members can do there what they can do here. Type",
    loadingIntegrations: "Loading integrations",
  },
  unlinkDialog: {
    unlink: "Unlink {name}",
  },
} as const;
