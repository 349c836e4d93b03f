export const bulk = {
  bulkFilterDialog: {
    all: "Das betrifft {total, plural, one {den # Lauf, der} other {alle # Läufe, die}} jetzt {total, plural, one {passt} other {passen}}:",
    atLeast: "Das betrifft alle Läufe, die jetzt passen, mehr als {total, number}:",
    noFilter: "Kein Filter ist gesetzt: Das sind alle Läufe dieses Teams.",
    filter: "Filter",
    inBackground:
      "Es läuft im Hintergrund weiter, wenn dieses Fenster geschlossen wird. Unter „Sammelaktionen“ ist es 30 Tage lang zu finden.",
    cancel: "{total, plural, one {# Lauf} other {# Läufe}} abbrechen",
    retry: "{total, plural, one {# Lauf} other {# Läufe}} wiederholen",
    rerun: "{total, plural, one {# Lauf} other {# Läufe}} ab Fehler erneut ausführen",
    keepRunning: "Weiterlaufen lassen",
  },
  bulkOperations: {
    title: "Sammelaktionen",
    none: "Keine Sammelaktionen in den letzten 30 Tagen",
    operation: "Aktion",
    by: "Gestartet von",
    started: "Gestartet",
    outcome: "Ausgang",
  },
  bulkProgress: {
    loading: "Aktion wird geladen",
    running: "Im Gange: {done, number} von {total, number}",
    completed: "Beendet",
    cancelled: "Angehalten. Was erledigt ist, bleibt erledigt.",
    counts: "{done, number} erledigt, {failed, number} fehlgeschlagen, {left, number} übrig",
    failures: "Fehlgeschlagene Läufe der Aktion",
    more: "und {count, number} weitere",
    stop: "Aktion anhalten",
    close: "Schließen",
  },
} as const;
