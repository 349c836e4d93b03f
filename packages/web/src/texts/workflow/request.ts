import { translate } from "../language.ts";

/** For the forms in which an approval or a manual task is defined. */
export const t = translate("request", {
  requestList: {
    asJson: "Edit as JSON",
    asForm: "Edit as form",
    required: "required",
    up: "Move {title} up",
    down: "Move {title} down",
    remove: "Remove {title}",
  },
  requestAdd: { fields: "Add field", links: "Add link", attachments: "Add attachment" },
  requestNew: { fields: "New field", links: "New link", attachments: "New attachment" },
  rowMembers: {
    name: "Name",
    nameHelp: "The name of the result",
    nameForm: "Start with a letter; use letters, digits, _ and -.",
    nameOwn: "The task already has a result with this name.",
    nameTaken: "Another field has this name.",
    label: "Label",
    linkLabel: "Label (default: the URL)",
    type: "Type",
    default: "Default",
    help: "Help",
    required: "Required to approve",
    url: "URL",
    what: "What to attach",
    text: "Text",
    log: "Log of a task",
    task: "Task",
  },
  requestPreview: {
    show: "Preview request",
    hide: "Hide preview",
    title: "Preview of the request",
    note: "With the values that references have now. Nothing is sent.",
  },
});
