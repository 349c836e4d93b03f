import { translate } from "./language.ts";

export const t = translate("ui", {
  copyField: {
    copied: "Copied",
    copy: "Copy",
    copiedLabel: "Copied {label}",
    copyLabel: "Copy {label}",
  },
  tabTitle: {
    millrace: "Millrace",
  },
  chartFrame: {
    showChart: "Show as chart",
    showTable: "Show as table",
  },
  charts: {
    loadingChart: "Loading chart",
  },
  linePoints: {
    clickRunsDay: "Click for the runs of the day",
  },
  stackedBars: {
    clickBarRuns: "Click a bar for its runs",
  },
  confirmDialog: {
    cancel: "Cancel",
    typeConfirm: "Type {typeToConfirm} to confirm",
  },
  editAndDelete: {
    edit: "Edit",
    editAction: "Edit {of}",
    delete: "Delete",
    deleteAction: "Delete {of}",
  },
  formDialog: {
    cancel: "Cancel",
    ownLose: "Discard what you entered?",
    ownKeep: "Keep editing",
    ownDiscard: "Discard",
  },
  formSection: {
    ownNochanges: "No unsaved changes",
    ownDiscard: "Discard changes",
  },
  listPage: {
    filters: "Filters",
  },
  nothingFound: {
    noMatching: "No matching {things}",
    nothingMatchesTheseFilters: "Nothing matches these filters.",
    noResultsTheseFilters: "No results for “{search}” with these filters.",
    showAll: "Show all {things}",
  },
  pageChoice: {
    of: "{page, number}–{last, number} of {total, number}",
    ofMore: "{page, number}–{last, number} of more than {total, number}",
    size: "Page size",
    perPage: "{size, number} per page",
    page: "{control} page",
    pageAriaLabel: "Page {item}",
  },
  searchField: {
    clearSearch: "Clear search",
  },
  statusMark: {
    notStarted: "Not started",
    ready: "Ready",
    running: "Running",
    waiting: "Waiting",
    succeeded: "Succeeded",
    failed: "Failed",
    invalid: "Invalid",
    skipped: "Skipped",
    cancelled: "Cancelled",
    timedOut: "Timed out",
    queued: "Queued",
    waitingForAction: "Waiting for a person",
    waitingForEvent: "Waiting for an event",
    waitingForSleep: "Waiting for a time",
    waitingForRetry: "Waiting to retry",
    waitingForLock: "Waiting for a lock",
    waitingForRun: "Waiting for a run",
  },
  tag: {
    notCreatedYet: "Not created yet",
    unsavedChanges: "Unsaved changes",
  },
  errorState: {
    waitsForConnection: "No connection. This loads as soon as the service can be reached.",
    noConnection: "No connection",
    dontHaveAccess: "You don't have access to this",
    notFound: "Not found",
    tooManyRequests: "Too many requests",
    couldntLoad: "Couldn't load this",
    tryAgain: "Try again",
    request: "Request {requestId}",
  },
  loadingState: {
    loading: "Loading",
    late: "Still loading: the service has not responded yet.",
  },
  warningMark: {
    warningWarnings: "{count, plural, one {# warning} other {# warnings}}",
  },
  dataTable: {
    loading: "Loading {toLowerCase}",
  },
  timeFormat: {
    lessThanMinute: "in less than a minute",
    justNow: "just now",
    ms: "{ms, number} ms",
  },
  codeEditor: {
    loadingEditor: "Loading editor",
  },
  textDiff: {
    loadingComparison: "Loading comparison",
  },
  theme: {
    close: "Close",
  },
  themes: {
    light: "Light",
    dark: "Dark",
    system: "System",
  },
});
