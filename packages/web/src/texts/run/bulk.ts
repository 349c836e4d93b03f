import { translate } from "../language.ts";

export const t = translate("bulk", {
  bulkFilterDialog: {
    all: "This applies to {total, plural, one {the # run} other {all # runs}} that match now:",
    atLeast: "This applies to all runs that match now, more than {total, number}:",
    noFilter: "No filter is set: these are all runs of this team.",
    filter: "Filter",
    inBackground: "It continues in the background when you close this. You find it below Bulk operations for 30 days.",
    cancel: "Cancel {total, plural, one {# run} other {# runs}}",
    retry: "Retry {total, plural, one {# run} other {# runs}}",
    rerun: "Rerun {total, plural, one {# run} other {# runs}} from failed",
    keepRunning: "Keep running",
  },
  bulkOperations: {
    title: "Bulk operations",
    none: "No bulk operations in the last 30 days",
    operation: "Operation",
    by: "Started by",
    started: "Started",
    outcome: "Outcome",
  },
  bulkProgress: {
    loading: "Loading operation",
    running: "In progress: {done, number} of {total, number}",
    completed: "Completed",
    cancelled: "Stopped. What was done stays done.",
    counts: "{done, number} done, {failed, number} failed, {left, number} left",
    failures: "Failed runs of the operation",
    more: "and {count, number} more",
    stop: "Stop operation",
    close: "Close",
  },
});
