import { translate } from "../language.ts";

export const t = translate("comments", {
  acknowledgement: {
    nobody: "Nobody has acknowledged this failure yet.",
    by: "Acknowledged by <strong></strong> · <time></time>",
    acknowledge: "Acknowledge",
    release: "Release",
  },
  runComments: {
    title: "Comments",
    open: "{count, plural, =0 {Comments} one {# comment} other {# comments}}",
    loading: "Loading comments",
    none: "No comments yet. Write down what you found, for others who open this run.",
    comment: "Comment",
    add: "Add comment",
    writeFirst: "Write a comment first.",
    delete: "Delete comment",
    deleteOf: "Delete comment of {name}",
  },
});
