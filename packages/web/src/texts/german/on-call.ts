export const onCall = {
  health: {
    title: "Zustand",
    workers: "Worker: {count, plural, =0 {keine} other {# in Ordnung}}",
    queue: "Warteschlange: in Ordnung",
    queueLate: "Warteschlange: verspätet, der älteste Task wartet seit {duration}",
    database: "Datenbank: in Ordnung",
    databaseFull: "Datenbank: voll",
    databaseAway: "Datenbank: nicht erreichbar",
  },
  waits: {
    title: "Wartende Läufe",
    action: "{count, number} auf eine Person",
    event: "{count, number} auf ein Ereignis",
    sleep: "{count, number} auf einen Zeitpunkt",
    retry: "{count, number} auf einen neuen Versuch",
    lock: "{count, number} auf eine Sperre",
    run: "{count, number} auf einen Lauf",
  },
  failures: {
    title: "Am letzten Tag fehlgeschlagen",
    none: "Am letzten Tag ist nichts fehlgeschlagen.",
    failed: "{count, plural, one {# fehlgeschlagener Lauf} other {# fehlgeschlagene Läufe}}",
    inTeam: "{team}, zuletzt <time></time>",
    open: "Lauf öffnen: der letzte fehlgeschlagene von {workflow}",
    openRun: "Lauf öffnen",
  },
  late: {
    title: "Verspätet",
    deadline: "War fällig <time></time>",
    usual: "Üblicherweise fertig <time></time>, innerhalb von {duration}",
    expected: "Erwartetes Ende <time></time>, innerhalb von {duration}",
  },
  nextRuns: {
    title: "Nächste Läufe",
    none: "Nichts ist geplant.",
  },
  favourites: {
    title: "Favoriten",
    help: "Einen Workflow in der Liste der Workflows mit dem Stern markieren, um ihn hier zu finden.",
    noRuns: "Noch keine Läufe",
  },
} as const;
