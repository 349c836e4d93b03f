import { sentenceOf } from "../texts/language.ts";
import { type MessageFamily, translatedBy } from "./german-families.ts";

/**
 * Why the service refuses, in German: what it writes in the places of a message, and whole messages of conflicts. What is marked with `!` is
 * a cause or a word again. Loaded with the first error, as german-errors.ts.
 */
const families: readonly MessageFamily[] = [
  // Rights and signing in.
  ["this needs the permission {0} in team {1}", "dafür ist das Recht {0} im Team {1} nötig"],
  ["this needs the permission {0}", "dafür ist das Recht {0} nötig"],
  ["this needs one of the permissions {0} in team {1}", "dafür ist eines der Rechte {0} im Team {1} nötig"],
  ["sign in, or send Authorization: {0}", "bitte anmelden; Programme senden ein Token"],
  ["the token is unknown, revoked or expired", "das Token ist unbekannt, widerrufen oder abgelaufen"],
  ["current is not your current password", "das angegebene Passwort ist nicht Ihr jetziges"],
  ["this token has limited permissions; sign in instead", "dieses Token hat nur einen Teil der Rechte; bitte anmelden"],
  ["the account {0} is not active; ask an administrator", "das Konto {0} ist nicht aktiv; bitte einen Administrator fragen"],
  ["the account of {0} is not active; ask an administrator", "das Konto von {0} ist nicht aktiv; bitte einen Administrator fragen"],
  ["only an administrator can set {0}, since {1}", "nur ein Administrator kann {0} einstellen"],
  ["only owners can assign or remove the role {0}", "nur Eigentümer können die Rolle {0} vergeben oder nehmen"],
  ["only owners can remove a member with the role {0}", "nur Eigentümer können ein Mitglied mit der Rolle {0} entfernen"],
  ["you can't invite with the role {0}", "mit der Rolle {0} können Sie nicht einladen"],
  ["only its author and owners of the team can delete a comment", "einen Kommentar löschen können nur sein Autor und Eigentümer des Teams"],
  [
    "views of the team need the permission workflow/write; save it for yourself instead",
    "für Ansichten des Teams ist das Recht workflow/write nötig; für sich selbst können Sie sie speichern",
  ],
  [
    "changing approver groups needs the permission team/grant in team {0} (owners and administrators)",
    "Genehmigergruppen können nur Eigentümer des Teams {0} und Administratoren ändern (team/grant)",
  ],
  [
    "changing retention removes history, so it needs the permission team/delete (owners and administrators)",
    "kürzere Aufbewahrung löscht Verlauf; das können nur Eigentümer und Administratoren (team/delete)",
  ],
  // Approvals and manual tasks.
  [
    "voting on action {0} needs the permission {1} in this team",
    "um über die Aufgabe {0} zu entscheiden, ist in diesem Team das Recht {1} nötig",
  ],
  [
    "commenting on action {0} needs the permission {1} in this team, or a vote on the action",
    "um die Aufgabe {0} zu kommentieren, ist in diesem Team das Recht {1} oder eine Stimme über die Aufgabe nötig",
  ],
  ["action {0} is for the members of approver group {1}", "die Aufgabe {0} ist für die Mitglieder der Genehmigergruppe {1}"],
  [
    "{0} joined approver group {1} after action {2} was opened, and can vote only on later ones",
    "{0} kam erst in die Genehmigergruppe {1}, als es die Aufgabe {2} schon gab, und kann nur über spätere abstimmen",
  ],
  [
    "action {0} must be decided by someone other than the person who started the run",
    "über die Aufgabe {0} muss jemand anders entscheiden als die Person, die den Lauf gestartet hat",
  ],
  [
    "action {0} must be decided by someone other than the person who proposes the version",
    "über die Aufgabe {0} muss jemand anders entscheiden als die Person, die die Version vorschlägt",
  ],
  [
    "action {0} belongs to a run that was started by the person behind this token; a person has to decide it, signed in or in the chat",
    "die Aufgabe {0} gehört zu einem Lauf, den die Person hinter diesem Token gestartet hat; eine Person muss angemeldet oder im Chat entscheiden",
  ],
  [
    "only people can delegate a vote, and this token acts as itself",
    "nur Personen können eine Stimme delegieren, und dieses Token gehört zu keiner",
  ],
  ["its task no longer waits for it", "ihr Task wartet nicht mehr darauf"],
  ["it is {0} already", "sie ist schon {0!}"],
  ["{0} has voted on it already", "{0} hat schon darüber abgestimmt"],
  ["{0} has delegated their vote on it", "{0} hat die eigene Stimme delegiert"],
  ["must be the ID or email address of a member of the team", "erwartet ist die ID oder E-Mail-Adresse eines Mitglieds des Teams"],
  [
    "must be an editor or owner of the team, or in one of its approver groups",
    "erwartet ist ein Bearbeiter oder Eigentümer des Teams oder ein Mitglied einer seiner Genehmigergruppen",
  ],
  ["the team has no such approver group", "das Team hat keine solche Genehmigergruppe"],
  [
    "{0} approvals are required, so a vote can only go to a person",
    "es sind {0} Genehmigungen nötig, deshalb kann eine Stimme nur an eine Person gehen",
  ],
  ["nobody in it could vote who can't vote already", "darin ist niemand, der nicht schon abstimmen kann"],
  ["the run belongs to that person", "der Lauf gehört dieser Person"],
  ["that person has voted already", "diese Person hat schon abgestimmt"],
  ["that person can vote already", "diese Person kann schon abstimmen"],
  [
    "Action {0} has {1} comments and delegations already, which is the limit",
    "Die Aufgabe {0} hat schon {1} Kommentare und Delegationen, mehr gehen nicht",
  ],
  // Runs.
  ["The bulk action has already ended", "Die Sammelaktion ist schon beendet"],
  [
    "{0} runs match the filter now, not {1}: check them, and send the request again",
    "Auf den Filter passen jetzt {0} Läufe, nicht {1}: bitte prüfen und noch einmal senden",
  ],
  [
    "The team has {0} bulk actions that are still running: wait until one ends, or cancel one",
    "Im Team laufen noch {0} Sammelaktionen: warten, bis eine endet, oder eine abbrechen",
  ],
  ["no run matches it, so nothing was done", "kein Lauf passt dazu, deshalb wurde nichts getan"],
  [
    "The plan for run {0} has changed since you read it: read it again",
    "Der Plan für den Lauf {0} hat sich inzwischen geändert: bitte noch einmal ansehen",
  ],
  [
    "Run {0} is a run of a nested workflow; rerun {1}, whose task started it",
    "Der Lauf {0} gehört zu einem eingebetteten Workflow; statt seiner den Lauf {1} wiederholen, dessen Task ihn gestartet hat",
  ],
  [
    "Run {0} is a trial, which runs once; try the workflow another time",
    "Der Lauf {0} ist ein Probelauf, der nur einmal läuft; den Workflow noch einmal ausprobieren",
  ],
  ['Task "{0}" can\'t be marked as succeeded: {1}', 'Der Task "{0}" kann nicht als erfolgreich markiert werden: {1!}'],
  ["the workflow does not have it", "der Workflow hat ihn nicht"],
  ["The run has {0} comments, which is the limit: delete one first", "Der Lauf hat {0} Kommentare, mehr gehen nicht: zuerst einen löschen"],
  [
    "There are {0} views already, which is the limit: delete one first",
    "Es gibt schon {0} Ansichten, mehr gehen nicht: zuerst eine löschen",
  ],
  ["There is a view with the name {0} already", "Es gibt schon eine Ansicht mit dem Namen {0}"],
  ["Waiting for a limit of its workflow", "Wartet auf eine Grenze seines Workflows"],
  // Workflows and tasks.
  [
    "{0} has 1 open run; cancel it first, or delete without force=false, which cancels it",
    "{0}: es gibt noch 1 offenen Lauf; zuerst abbrechen, oder ohne force=false löschen, was ihn abbricht",
  ],
  [
    "{0} has {1} open runs; cancel them first, or delete without force=false, which cancels them",
    "{0}: es gibt noch {1} offene Läufe; zuerst abbrechen, oder ohne force=false löschen, was sie abbricht",
  ],
  [
    "Workflow {0} is protected: turn its protection off before you delete it",
    "Der Workflow {0} ist geschützt: vor dem Löschen den Schutz ausschalten",
  ],
  [
    "{0} versions of workflow {1} wait for approval: decide or withdraw one first",
    "Vom Workflow {1} warten {0} Versionen auf Genehmigung: zuerst über eine entscheiden oder eine zurückziehen",
  ],
  [
    "only {0}, who proposed it, or an owner of the team can withdraw this version",
    "diese Version zurückziehen kann nur {0}, von wem sie stammt, oder ein Eigentümer des Teams",
  ],
  [
    "Secret {0} is protected, and can't be deleted: an owner of the team has to turn its protection off first",
    "Das Geheimnis {0} ist geschützt und kann nicht gelöscht werden: zuerst muss ein Eigentümer des Teams den Schutz ausschalten",
  ],
  // People and teams.
  [
    "This is the last active administrator; make another user administrator first",
    "Das ist der letzte aktive Administrator; zuerst einen anderen Benutzer zum Administrator machen",
  ],
  [
    "The last owner of a team can't leave, be removed or get another role; make another member owner first, who has signed in at least once",
    "Der letzte Eigentümer eines Teams kann nicht gehen, entfernt werden oder eine andere Rolle bekommen; zuerst ein anderes Mitglied zum Eigentümer machen, das sich schon einmal angemeldet hat",
  ],
  [
    "Open actions wait for these approver groups: {0}. Decide them or cancel their runs first",
    "Auf diese Genehmigergruppen warten offene Aufgaben: {0}. Zuerst darüber entscheiden oder ihre Läufe abbrechen",
  ],
  [
    "Approver groups protect these: {0}. Turn that protection off first",
    "Genehmigergruppen schützen: {0}. Zuerst diesen Schutz ausschalten",
  ],
  [
    "The invitation of {0} is already {1}; invite the person again",
    "Die Einladung von {0} ist schon {1!}; die Person noch einmal einladen",
  ],
  ["The invitation of {0} is already {1}", "Die Einladung von {0} ist schon {1!}"],
  [
    "{0} has {1} open invitations, the maximum; revoke some first",
    "{0} hat {1} offene Einladungen, mehr gehen nicht; zuerst welche widerrufen",
  ],
  ["{0} already has an account: sign in to accept the invitation", "{0} hat schon ein Konto: zum Annehmen der Einladung anmelden"],
  ["{0} is {1}; set the status to active before you create a code", "{0} ist {1!}; vor einem neuen Code den Status auf aktiv setzen"],
  ["Your password was changed at the same time; try again", "Ihr Passwort wurde gleichzeitig geändert; bitte noch einmal versuchen"],
  ["This instance is already activated", "Diese Instanz ist schon aktiviert"],
  ["the instance is already activated", "die Instanz ist schon aktiviert"],
  // The service itself.
  ["the database did not respond in time; try again", "die Datenbank hat nicht rechtzeitig geantwortet; bitte noch einmal versuchen"],
  ["{0}; try again", "{0!}; bitte noch einmal versuchen"],
];

/** Words that the service writes in the places of such a sentence. */
const words: Readonly<Record<string, string>> = {
  approved: "genehmigt",
  rejected: "abgelehnt",
  submitted: "offen",
  cancelled: "abgebrochen",
  accepted: "angenommen",
  revoked: "widerrufen",
  expired: "abgelaufen",
  invited: "eingeladen",
  inactive: "inaktiv",
};

/** @returns the text as it is if it is no cause that is known here, such as a name */
export function causeInGerman(cause: string): string {
  if (Object.hasOwn(words, cause)) return words[cause] ?? cause;
  const found = translatedBy(families, cause, causeInGerman);
  // Why a run or a task can't start is also said where it waits. A single word is a value.
  return found === cause && cause.includes(" ") ? sentenceOf(cause) : found;
}
