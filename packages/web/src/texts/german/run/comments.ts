export const comments = {
  acknowledgement: {
    nobody: "Noch hat niemand diesen Fehler übernommen.",
    by: "Übernommen von <strong></strong> · <time></time>",
    acknowledge: "Übernehmen",
    release: "Freigeben",
  },
  runComments: {
    title: "Kommentare",
    open: "{count, plural, =0 {Kommentare} one {# Kommentar} other {# Kommentare}}",
    loading: "Kommentare werden geladen",
    none: "Noch keine Kommentare. Halten Sie für andere fest, was Sie herausgefunden haben.",
    comment: "Kommentar",
    add: "Kommentar hinzufügen",
    writeFirst: "Zuerst einen Kommentar schreiben.",
    delete: "Kommentar löschen",
    deleteOf: "Kommentar von {name} löschen",
  },
} as const;
