import { translate } from "../language.ts";

export const t = translate("comments", {
  acknowledgement: {
    nobody: "Nobody looks after this failure yet.",
    by: "<strong></strong> looks after this failure · <time></time>",
    acknowledge: "Acknowledge",
    release: "Release",
  },
  runComments: {
    title: "Comments",
    open: "{count, plural, =0 {Comments} one {# comment} other {# comments}}",
    loading: "Loading comments",
    none: "No comments yet. Say what you found out, for those who look at this run after you.",
    comment: "Comment",
    add: "Add comment",
    writeFirst: "Write a comment first.",
    delete: "Delete comment",
    deleteOf: "Delete comment of {name}",
  },
});
