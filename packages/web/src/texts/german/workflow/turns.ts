export const turns = {
  turnMark: {
    finally: "Läuft zum Schluss, wie auch immer der Lauf endet",
    onFailure: "Läuft, wenn der Lauf fehlschlägt",
    undoes: "Macht {task} rückgängig",
  },
} as const;
