export const forms = {
  parameterField: {
    secretStoredLeaveEmptyPlaceholder: "A secret is stored. Leave empty to use it",
    show: "Show {label}",
    clear: "Clear {label}",
    typeValuePressEnterPlaceholder: "Type a value and press Enter",
  },
  parameterKinds: {
    text: "Text",
    multilineText: "Multiline text",
    number: "Number",
    boolean: "Boolean",
    emailAddress: "Email address",
    secret: "Secret",
    singleChoice: "Single choice",
    multipleChoice: "Multiple choice",
    code: "Code",
    codePlainText: "Code: plain text",
    codeShell: "Code: shell",
    codeJavascript: "Code: JavaScript",
    codeYaml: "Code: YAML",
  },
  parameterValues: {
    enterValue: "Enter a value.",
    notNumber: "{text} is not a number.",
    notJson: "This is not JSON.",
    secretNeedsLeast4: "A secret needs at least 4 characters.",
    leastCharactersEntered: "At least {min, number} characters; you entered {count, number}.",
    mostCharactersEntered: "At most {max, number} characters; you entered {count, number}.",
  },
  workflowText: {
    notWorkflowMustObject: "This is not a workflow: it must be an object with a name and tasks.",
  },
  yamlValue: {
    textHoldsSeveralDocuments: "The text holds several documents; keep one of them.",
    numberHasMoreDigits: "The number {source} has more digits than a number holds; write it as text, in quotes.",
    aliasStandsInsideWhat: "An alias stands inside what it names.",
  },
} as const;
