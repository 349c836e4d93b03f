import { translate } from "../language.ts";

export const t = translate("views", {
  savedViews: {
    views: "Views",
    changed: "{name} (changed)",
    ofTeam: "Views of the team",
    own: "Your views",
    none: "Save a filter under a name to open it again with one press.",
    saveAs: "Save as new view…",
    save: "Save changes to {name}",
    rename: "Rename {name}…",
    delete: "Delete {name}…",
    all: "Show all runs",
    saved: "View saved",
    deleted: "View deleted",
    deleteTitle: "Delete {name}",
    deleteView: "Delete view",
    deleteForTeam: "This deletes the view for the whole team. Runs are not affected.",
    deleteForYou: "This deletes the view. Runs are not affected.",
  },
  saveViewDialog: {
    save: "Save view",
    rename: "Rename view",
    saveView: "Save view",
    renameView: "Rename view",
    name: "Name",
    nameIt: "Enter a name.",
    visibleTo: "Visible to",
    own: "Only you",
    team: "Everyone in this team",
  },
});
