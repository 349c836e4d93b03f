import { translate } from "./language.ts";

export const t = translate({
  activateForm: {
    oneTimeCode: "One-time code",
    name: "Your name",
    password: "Password",
    passwordHelp: "At least 8 characters",
    activateSign: "Activate and sign in",
  },
  activatePage: {
    instanceAlreadyActivated: "This instance is already activated",
    askAdministratorsAccess: "Ask one of its administrators for access.",
    sign: "Sign in",
    goHomePage: "Go to the home page",
    activateMillrace: "Activate Millrace",
    newInstanceCreateFirst: "This is a new instance. Create the first administrator, or sign in with its access token.",
    createFirstAdministrator: "or create the first administrator",
  },
  emailField: {
    emailAddress: "Email address",
  },
  firstStartFile: {
    createdFirstStartFile: "Created on first start: <code></code>, or the file <code2></code2> in the folder set by <code3></code3>.",
  },
  passwordForm: {
    password: "Password",
    signPassword: "Sign in with password",
    setPasswordCode: "Set a password with a code",
  },
  resetForm: {
    administratorCreateCodeList: "An administrator can create a code in the list of users. It is valid once, for 24 hours.",
    code: "Code",
    newPassword: "New password",
    newPasswordHelp: "At least 8 characters",
    setPasswordSign: "Set password and sign in",
    backSignOptions: "Back to sign-in options",
  },
  signInPage: {
    handbook: "Handbook",
    apiDocumentation: "API documentation",
    setPassword: "Set a password",
    signMillrace: "Sign in to Millrace",
    sessionHasEndedSign: "Your session has ended. Sign in again.",
    signSeePage: "Sign in to see that page.",
    signContinue: "Sign in to continue.",
    continueWithoutSigning: "Continue without signing in",
    continueSingleSign: "Continue with single sign-on",
    password: "or with a password",
    accessToken: "or with an access token",
  },
  signInRules: {
    emailMissing: "Enter your email address.",
    codeMissing: "Enter the code.",
    nameMissing: "Enter your name.",
    passwordMissing: "Enter your password.",
    passwordTooShort: "Enter at least 8 characters.",
    tokenMissing: "Enter an access token.",
  },
  tokenForm: {
    accessToken: "Access token",
    sign: "Sign in",
  },
});
