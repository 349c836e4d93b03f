export const ui = {
  copyField: {
    copied: "Kopiert",
    copy: "Kopieren",
    copiedLabel: "{label} kopiert",
    copyLabel: "{label} kopieren",
  },
  tabTitle: {
    millrace: "Millrace",
  },
  chartFrame: {
    showChart: "Als Diagramm zeigen",
    showTable: "Als Tabelle zeigen",
  },
  charts: {
    loadingChart: "Diagramm wird geladen",
  },
  linePoints: {
    clickRunsDay: "Klicken für die Läufe des Tages",
  },
  stackedBars: {
    clickBarRuns: "Auf einen Balken klicken für seine Läufe",
  },
  confirmDialog: {
    cancel: "Abbrechen",
    typeConfirm: "Zum Bestätigen {typeToConfirm} eingeben",
  },
  editAndDelete: {
    edit: "Bearbeiten",
    editAction: "{of} bearbeiten",
    delete: "Löschen",
    deleteAction: "{of} löschen",
  },
  formDialog: {
    cancel: "Abbrechen",
    ownLose: "Eingaben verwerfen?",
    ownKeep: "Weiter bearbeiten",
    ownDiscard: "Verwerfen",
  },
  formSection: {
    ownNochanges: "Keine ungespeicherten Änderungen",
    ownDiscard: "Änderungen verwerfen",
  },
  listPage: {
    filters: "Filter",
  },
  nothingFound: {
    noMatching: "Nichts Passendes gefunden: {things}",
    nothingMatchesTheseFilters: "Nichts passt zu diesen Filtern.",
    noResultsTheseFilters: "Keine Ergebnisse für „{search}“ mit diesen Filtern.",
    showAll: "Alle zeigen: {things}",
  },
  pageChoice: {
    of: "{page, number}–{last, number} von {total, number}",
    ofMore: "{page, number}–{last, number} von mehr als {total, number}",
    size: "Seitengröße",
    perPage: "{size, number} pro Seite",
    page: "Seite: {control}",
    pageAriaLabel: "Seite {item}",
  },
  searchField: {
    clearSearch: "Suche leeren",
  },
  statusMark: {
    notStarted: "Nicht gestartet",
    ready: "Bereit",
    running: "Läuft",
    waiting: "Wartet",
    succeeded: "Erfolgreich",
    failed: "Fehlgeschlagen",
    invalid: "Ungültig",
    skipped: "Übersprungen",
    cancelled: "Abgebrochen",
    timedOut: "Zeitlimit überschritten",
    queued: "In Warteschlange",
    waitingForAction: "Wartet auf eine Person",
    waitingForEvent: "Wartet auf ein Ereignis",
    waitingForSleep: "Wartet auf einen Zeitpunkt",
    waitingForRetry: "Wartet auf einen neuen Versuch",
    waitingForLock: "Wartet auf eine Sperre",
    waitingForRun: "Wartet auf einen Lauf",
  },
  tag: {
    notCreatedYet: "Noch nicht erstellt",
    unsavedChanges: "Ungespeicherte Änderungen",
  },
  errorState: {
    waitsForConnection: "Keine Verbindung. Das wird geladen, sobald der Dienst erreichbar ist.",
    noConnection: "Keine Verbindung",
    dontHaveAccess: "Kein Zugriff",
    notFound: "Nicht gefunden",
    tooManyRequests: "Zu viele Anfragen",
    couldntLoad: "Konnte nicht geladen werden",
    tryAgain: "Erneut versuchen",
    request: "Anfrage {requestId}",
  },
  loadingState: {
    loading: "Wird geladen",
    late: "Lädt noch: Der Dienst hat noch nicht geantwortet.",
  },
  warningMark: {
    warningWarnings: "{count, plural, one {# Warnung} other {# Warnungen}}",
  },
  dataTable: {
    loading: "Wird geladen: {toLowerCase}",
  },
  timeFormat: {
    lessThanMinute: "in weniger als einer Minute",
    justNow: "gerade eben",
    ms: "{ms, number} ms",
  },
  codeEditor: {
    loadingEditor: "Editor wird geladen",
  },
  textDiff: {
    loadingComparison: "Vergleich wird geladen",
  },
  theme: {
    close: "Schließen",
  },
  themes: {
    light: "Hell",
    dark: "Dunkel",
    system: "System",
  },
} as const;
