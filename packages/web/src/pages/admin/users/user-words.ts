/** What the types of users mean in the instance; in a team a person's role there counts. */
export const userTypeWords: Readonly<Record<string, { word: string; means: string }>> = {
  user: { word: "User", means: "Has the roles of his teams, and nothing in the instance" },
  admin: { word: "Administrator", means: "May do everything" },
  operator: { word: "Operator", means: "Reads, changes and runs everything, but deletes nothing and sets no passwords" },
  auditor: { word: "Auditor", means: "As the roles of his teams" },
  author: { word: "Author", means: "As the roles of his teams" },
  sponsor: { word: "Sponsor", means: "As the roles of his teams" },
  partner: { word: "Partner", means: "As the roles of his teams" },
  advisor: { word: "Advisor", means: "As the roles of his teams" },
};

/** Who gets in, and who does not. */
export const userStatusWords: Readonly<Record<string, { word: string; tone: "on" | "off" | "rest" }>> = {
  active: { word: "Active", tone: "on" },
  inactive: { word: "Inactive", tone: "rest" },
  pending_deletion: { word: "To be deleted", tone: "off" },
  deleted: { word: "Deleted", tone: "off" },
  archived: { word: "Archived", tone: "rest" },
};
