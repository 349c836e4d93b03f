/** What the types of users mean in the instance; in a team a person's role there counts. */
export const userTypeWords: Readonly<Record<string, { word: string; means: string }>> = {
  user: { word: "User", means: "Has the roles of their teams, and no rights on the instance" },
  admin: { word: "Administrator", means: "Can do everything" },
  operator: { word: "Operator", means: "Can read, change and run everything, but can't delete or set passwords" },
  auditor: { word: "Auditor", means: "Has the roles of their teams" },
  author: { word: "Author", means: "Has the roles of their teams" },
  sponsor: { word: "Sponsor", means: "Has the roles of their teams" },
  partner: { word: "Partner", means: "Has the roles of their teams" },
  advisor: { word: "Advisor", means: "Has the roles of their teams" },
};

/** Who gets in, and who does not. */
export const userStatusWords: Readonly<Record<string, { word: string; tone: "on" | "off" | "rest" }>> = {
  active: { word: "Active", tone: "on" },
  inactive: { word: "Inactive", tone: "rest" },
  pending_deletion: { word: "To be deleted", tone: "off" },
  deleted: { word: "Deleted", tone: "off" },
  archived: { word: "Archived", tone: "rest" },
};
