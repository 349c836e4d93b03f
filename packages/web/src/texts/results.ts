import { translate } from "./language.ts";

export const t = translate("results", {
  resultsSection: {
    none: "This workflow declares no results. Its runs return whatever their tasks set, of any type.",
    about: "Runs return only these results. Workflows that run this one can use them.",
    add: "Add result",
    declare: "Declare what tasks set: {names}",
    result: "Result {name}",
    name: "Name",
    type: "Type",
    typeHelp: "A task that sets a value of another type fails.",
    any: "Any",
    description: "Description",
    value: "Value, set by {task}",
    nobodySets: "No task sets this result.",
    addTask: "Add a task that sets it",
    remove: "Remove {name}",
  },
  resultTypes: {
    text: "Text",
    number: "Number",
    boolean: "Boolean",
    array: "List",
    json: "JSON",
  },
  resultList: {
    nameMissing: "Enter a name.",
    nameTaken: "Another result has this name.",
  },
});
