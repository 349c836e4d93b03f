import { translate } from "./language.ts";

export const t = translate("on-call", {
  health: {
    title: "Health",
    unknown: "Not known now. The last answer came <time></time>.",
    workers: "Workers: {count, plural, =0 {none} other {# healthy}}",
    queue: "Queue: healthy",
    queueLate: "Queue: late, the oldest task has waited {duration}",
    database: "Database: healthy",
    databaseFull: "Database: full",
    databaseAway: "Database: unreachable",
    workersHelp: "Tasks wait until a worker runs. <link>What to do</link>",
    queueHelp: "No free slot for waiting tasks. <link>What to do</link>",
    databaseFullHelp: "Changes are refused until the disk has space. <link>What to do</link>",
    databaseAwayHelp: "Runs continue once it responds. <link>What to do</link>",
  },
  waits: {
    title: "Waiting runs",
    action: "{count, number} for a person",
    event: "{count, number} for an event",
    sleep: "{count, number} for a time",
    retry: "{count, number} to retry",
    lock: "{count, number} for a lock",
    run: "{count, number} for a run",
  },
  failures: {
    title: "Failed in the last day",
    none: "Nothing failed in the last day.",
    failed: "{count, plural, one {# failed run} other {# failed runs}}",
    inTeam: "{team}, last <time></time>",
    open: "Open run: the last failed one of {workflow}",
    openRun: "Open run",
  },
  late: {
    title: "Late",
    deadline: "Was due <time></time>",
    usual: "Usually done <time></time>, within {duration}",
    expected: "Expected to be done <time></time>, within {duration}",
  },
  nextRuns: {
    title: "Next runs",
    none: "Nothing is scheduled.",
  },
  favourites: {
    title: "Favourites",
    help: "Star a workflow in the list of workflows to see it here.",
    noRuns: "No runs yet",
  },
});
