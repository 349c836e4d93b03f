export const comments = {
  acknowledgement: {
    nobody: "Noch kümmert sich niemand um diesen Fehler.",
    by: "<strong></strong> kümmert sich um diesen Fehler · <time></time>",
    acknowledge: "Übernehmen",
    release: "Freigeben",
  },
  runComments: {
    title: "Kommentare",
    open: "{count, plural, =0 {Kommentare} one {# Kommentar} other {# Kommentare}}",
    loading: "Kommentare werden geladen",
    none: "Noch keine Kommentare. Halten Sie fest, was Sie herausgefunden haben, für alle, die sich diesen Lauf später ansehen.",
    comment: "Kommentar",
    add: "Kommentar hinzufügen",
    writeFirst: "Zuerst einen Kommentar schreiben.",
    delete: "Kommentar löschen",
    deleteOf: "Kommentar von {name} löschen",
  },
} as const;
