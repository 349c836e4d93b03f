export const results = {
  resultsSection: {
    none: "Dieser Workflow deklariert keine Ergebnisse: Seine Läufe liefern, was ihre Tasks setzen, mit beliebigem Typ.",
    about: "Läufe liefern nur diese Ergebnisse. Workflows, die diesen ausführen, können sie verwenden.",
    add: "Ergebnis hinzufügen",
    declare: "Deklarieren, was Tasks setzen: {names}",
    result: "Ergebnis {name}",
    name: "Name",
    type: "Typ",
    typeHelp: "Ein Task, der einen Wert von anderem Typ setzt, schlägt fehl.",
    any: "Beliebig",
    description: "Beschreibung",
    value: "Wert, gesetzt von {task}",
    nobodySets: "Kein Task setzt dieses Ergebnis.",
    addTask: "Task hinzufügen, der es setzt",
    remove: "{name} entfernen",
  },
  resultTypes: {
    text: "Text",
    number: "Zahl",
    boolean: "Wahrheitswert",
    array: "Liste",
    json: "JSON",
  },
  resultList: {
    nameMissing: "Geben Sie einen Namen ein.",
    nameTaken: "Ein anderes Ergebnis hat diesen Namen.",
  },
} as const;
