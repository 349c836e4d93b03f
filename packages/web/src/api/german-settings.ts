import type { components } from "@millrace/client/schema.generated.ts";

type SettingGroup = components["schemas"]["Setting"];

interface GermanSetting {
  label: string;
  description: string;
  /** By the key of the choice; choices without a text here are the same in German. */
  options?: Readonly<Record<string, string>>;
}

interface GermanGroup {
  name: string;
  description: string;
  settings: Readonly<Record<string, GermanSetting>>;
}

const notEnforced = "Der Server setzt das nicht durch.";
const forever = "0 bewahrt sie für immer auf.";

/** Both kinds of workspaces have the same settings. */
const storage = (ofWhat: string): GermanGroup["settings"] => ({
  "storage.size": {
    label: "Standardgröße",
    description: `Größe eines Workspace ${ofWhat}, wenn der Workflow keine angibt, innerhalb des Kontingents des Teams und von \`max.storage.size\`.`,
  },
  "storage.class": {
    label: "Speicherklasse",
    description:
      "Für Executors in einem Cluster: die Speicherklasse des Volumes, wenn der Workflow keine angibt. Leer: der Standard des Clusters.",
  },
  "storage.accessMode": {
    label: "Zugriffsmodus",
    description: "Für Executors in einem Cluster: der Zugriffsmodus des Volumes, wenn der Workflow keinen angibt.",
  },
  "max.storage.size": {
    label: "Höchstgröße",
    description: `Höchste Größe eines Workspace ${ofWhat}, unabhängig vom Kontingent seines Teams. Ein Workflow, der mehr verlangt, kann nicht gespeichert werden.`,
  },
});

/**
 * What the service says about its settings, in German. It is loaded with the settings, and only for this language. A test compares it with
 * the settings of the service, so that none is missing.
 */
export const germanSettings: Readonly<Record<string, GermanGroup>> = {
  task: {
    name: "Tasks",
    description: "Wie Tasks ausgeführt werden",
    settings: {
      debug: {
        label: "Standardmäßig im Debug-Modus ausführen",
        description:
          "Im Debug-Modus bekommt jeder Schritt `DEBUG=true` und schreibt ins Log, wie er isoliert ist. Normalerweise aus, weil `DEBUG` die Ausgabe vieler Programme ändert. Beim Starten eines Laufs kann es anders gewählt werden.",
      },
      "default.image": {
        label: "Standard-Image",
        description:
          "Container-Image für Schritte ohne eigenes Image. Solche Tasks brauchen dann einen Executor für Images, außer mit `millrace.dev/executor: process`. Nur setzen, wenn ein Worker einen solchen Executor hat. Leer: Schritte ohne Image laufen als Prozesse. Gilt für neue Läufe.",
      },
      "deletion.policy": {
        label: "Beendete Pods und Container entfernen",
        description:
          "Wann Pods und Container beendeter Tasks entfernt werden. Task-Läufe zeigen es in `spec.deletion`. Prozesse lassen nichts zurück.",
        options: { Never: "Nie", OnSuccess: "Nach Erfolg", Always: "Immer" },
      },
      "edit.verified": {
        label: "Geprüfte Tasks bearbeiten",
        description: `Ob Clients das Bearbeiten geprüfter Tasks anbieten (Funktion \`enable.verified.tasks.edit\`). ${notEnforced}`,
      },
      "workspace.wait": {
        label: "Auf einen verlorenen Workspace warten (Minuten)",
        description:
          "Wie lange ein Task auf den Worker wartet, der die Workspaces seines Laufs hat, nachdem dieser zuletzt gesehen wurde. Danach schlägt er mit `WorkspaceLost` fehl. Er beginnt nie mit einem leeren Workspace.",
      },
      "default.timeout": {
        label: "Höchstdauer eines Tasks (Minuten)",
        description:
          "Höchste Dauer eines Versuchs auf einem Executor, in Minuten, wenn der Workflow keine oder eine längere angibt. Gilt für neue Läufe.",
      },
    },
  },
  teams: {
    name: "Kontingente der Teams",
    description: "Kontingente für Teams ohne eigene",
    settings: {
      "max.workflow.count": {
        label: "Workflows",
        description: "Höchste Anzahl der Workflows eines Teams. Ein kleinerer Wert löscht keine Workflows.",
      },
      "max.workflowrun.concurrent": {
        label: "Gleichzeitige Läufe",
        description:
          "Höchste Anzahl aktiver Läufe eines Teams; weitere kommen in die Warteschlange. Ein Lauf, der nur wartet (auf Personen, Ereignisse, Zeitpunkte, Sperren oder andere Läufe), zählt nicht.",
      },
      "max.workflowrun.waiting": {
        label: "Wartende Läufe",
        description: "Höchste Anzahl der Läufe eines Teams, die begonnen haben und nur noch warten. Weitere werden abgewiesen.",
      },
      "max.workflowrun.monthly": {
        label: "Läufe pro Monat",
        description: "Wie viele Läufe ein Team in einem Kalendermonat (UTC) starten kann.",
      },
      "max.workflowrun.duration": {
        label: "Aktive Zeit eines Laufs (Minuten)",
        description: "Höchste aktive Zeit eines Laufs, in Minuten. Wartezeit zählt nicht. Gilt für neue Läufe.",
      },
      "max.workflow.storage": {
        label: "Speicher eines Workflows",
        description: "Höchste Größe jedes Workspace, der zwischen Läufen bestehen bleibt.",
      },
      "max.workflowrun.storage": { label: "Speicher eines Laufs", description: "Höchste Größe jedes Workspace eines einzelnen Laufs." },
    },
  },
  features: {
    name: "Funktionen",
    description: "Funktionen, die ausgeschaltet werden können",
    settings: {
      activity: { label: "Aktivität", description: `Ob die Navigation die Läufe eines Teams zeigt. ${notEnforced}` },
      insights: { label: "Auswertung", description: `Ob die Navigation die Auswertung eines Teams zeigt. ${notEnforced}` },
      teamQuotas: {
        label: "Kontingente der Teams",
        description:
          "Aus: kein Kontingent wird durchgesetzt, weder für Workflows noch für Läufe (pro Monat, gleichzeitig, Dauer) noch für Speicher. Kontingente werden weiterhin gezeigt.",
      },
      workflowTriggers: { label: "Auslöser von Workflows", description: `Ob Clients das Bearbeiten der Auslöser anbieten. ${notEnforced}` },
      workflowTokens: {
        label: "Tokens von Workflows",
        description: "Aus: es können keine Tokens von Workflows erstellt werden. Bestehende gelten, bis sie gelöscht werden.",
      },
      teamParameters: {
        label: "Parameter der Teams",
        description: "Aus: neue Läufe bekommen die Parameter ihres Teams nicht, und der Designer bietet sie nicht an.",
      },
      globalParameters: {
        label: "Globale Parameter",
        description: "Aus: neue Läufe bekommen keine globalen Parameter, und der Designer bietet sie nicht an.",
      },
      teamManagement: { label: "Verwaltung der Teams", description: `Ob die Navigation Administratoren die Teams zeigt. ${notEnforced}` },
      userManagement: {
        label: "Verwaltung der Benutzer",
        description: `Ob die Navigation Administratoren die Benutzer zeigt. ${notEnforced}`,
      },
      teamTasks: { label: "Tasks der Teams", description: `Ob die Navigation die Tasks eines Teams zeigt. ${notEnforced}` },
    },
  },
  workflowrun: { name: "Workspaces von Läufen", description: "Speicher für einen einzelnen Lauf", settings: storage("eines Laufs") },
  workflow: {
    name: "Workspaces von Workflows",
    description: "Speicher, der zwischen Läufen bestehen bleibt",
    settings: storage("eines Workflows"),
  },
  integration: {
    name: "Integrationen",
    description: "Die Apps dieser Instanz für Chat und Code-Host",
    settings: {
      "chat.appId": { label: "Chat: App-ID", description: "ID der Chat-App." },
      "chat.clientId": { label: "Chat: Client-ID", description: "Kennzeichnet die App, wenn ein Arbeitsbereich sie installiert." },
      "chat.clientSecret": {
        label: "Chat: Client-Secret",
        description: "Beweist, dass die Installationsanfrage eines Arbeitsbereichs von Millrace kommt.",
      },
      "chat.signingSecret": {
        label: "Chat: Signatur-Secret",
        description:
          "Damit signiert die Chat-Plattform ihre Anfragen. Ohne dieses Secret werden sie abgewiesen. Nur Administratoren können es ändern.",
      },
      "chat.token": { label: "Chat: Token", description: "Damit schreibt diese Instanz Nachrichten in ihren eigenen Arbeitsbereich." },
      "chat.installURL": { label: "Chat: Installations-URL", description: "Wohin Personen geschickt werden, um die App zu installieren." },
      "chat.baseURL": {
        label: "Chat: API-URL",
        description:
          "Wo die API der Chat-Plattform ist. Leer: der öffentliche Dienst. Nur Administratoren ändern sie; dabei geben sie Client-Secret und Token erneut ein, und Arbeitsbereiche müssen die App erneut installieren. Eine Adresse außerhalb des öffentlichen Internets muss von `MILLRACE_OUTBOUND_ALLOW` erlaubt sein.",
      },
      "codehost.appId": { label: "Code-Host: App-ID", description: "ID der App beim Code-Host." },
      "codehost.appName": { label: "Code-Host: App-Name", description: "Name der App, ein Teil der URL zum Installieren." },
      "codehost.pem": {
        label: "Code-Host: privater Schlüssel",
        description:
          "Der private Schlüssel der App, als PEM. Er darf auch in einer Zeile stehen, mit Leerzeichen oder \\n statt der Zeilenumbrüche.",
      },
      "codehost.webhookSecret": {
        label: "Code-Host: Webhook-Secret",
        description: "Damit signiert der Code-Host seine Ereignisse. Ohne dieses Secret brauchen Absender Zugangsdaten.",
      },
      "codehost.baseURL": {
        label: "Code-Host: API-URL",
        description:
          "Wo die API des Code-Hosts ist. Leer: der öffentliche Dienst. Zum Ändern muss der private Schlüssel erneut eingegeben werden. Eine Adresse außerhalb des öffentlichen Internets muss von `MILLRACE_OUTBOUND_ALLOW` erlaubt sein.",
      },
      "codehost.linking": {
        label: "Code-Host: wer Installationen verbinden kann",
        description:
          "Wer eine Installation verbinden kann, mit der noch keines der eigenen Teams verbunden ist. `new`: wer die Integrationen des Teams ändern darf, in der ersten Stunde und solange kein Team sie verbunden hat; danach ein Administrator. `administrators`: nur wer die Integrationen der ganzen Instanz ändern darf. `open`: wer die Integrationen eines Teams ändern darf; nur verwenden, wenn alle Teams alle Repositorys lesen dürfen.",
        options: { new: "Neue Installationen", administrators: "Administratoren", open: "Alle" },
      },
    },
  },
  mail: {
    name: "E-Mail",
    description: "Der Mailserver, der Benachrichtigungen sendet",
    settings: {
      host: { label: "Mailserver", description: "Name oder Adresse des SMTP-Servers. Leer: es wird keine E-Mail gesendet." },
      port: { label: "Port", description: "Meist 587 mit `starttls`, 465 mit `tls` oder 25 innerhalb eines Netzes." },
      security: {
        label: "Verschlüsselung",
        description:
          "Mit `starttls` und `tls` muss das Zertifikat des Servers für seinen Namen gelten, und nichts wird unverschlüsselt gesendet. `none` sendet E-Mails unverschlüsselt: für einen Server auf derselben Maschine, oder im selben Netz ohne Passwort. Ein Passwort wird unverschlüsselt nur an dieselbe Maschine gesendet.",
        options: {
          starttls: "Verschlüsselt nach der Begrüßung (STARTTLS)",
          tls: "Von Anfang an verschlüsselt (TLS)",
          none: "Nicht verschlüsselt",
        },
      },
      user: { label: "Benutzer", description: "Benutzername beim Mailserver. Leer: ohne Anmeldung." },
      password: {
        label: "Passwort",
        description: "Passwort dieses Benutzers. Nach einer Änderung von Server, Port oder Verschlüsselung erneut eingeben.",
      },
      from: {
        label: "Absenderadresse",
        description: "Absenderadresse aller E-Mails. Der Absendername ist der Name der Anwendung. Leer: es wird keine E-Mail gesendet.",
      },
      domains: {
        label: "Domains der Empfänger",
        description:
          "Domains, an die Teams E-Mails senden können, mit Kommas getrennt, etwa `example.com, example.org`. Leer: alle Domains; dann kann jede Person, die Abonnements eines Teams erstellen darf, von dieser Instanz an jede Adresse senden.",
      },
    },
  },
  invitations: {
    name: "Einladungen",
    description: "Wer Personen in diese Instanz einladen kann",
    settings: {
      by: {
        label: "Wer einladen kann",
        description:
          "Mit `owners` kann ein Eigentümer eines Teams beliebige Personen in dieses Team einladen; `MILLRACE_OIDC_DOMAINS` begrenzt die Domains. Mit `administrators` können Eigentümer nur Personen mit einem Konto hinzufügen, über deren Benutzer-ID.",
        options: { owners: "Eigentümer von Teams und Administratoren", administrators: "Nur Administratoren" },
      },
    },
  },
  customizations: {
    name: "Anpassungen",
    description: "Wie sich die Instanz zeigt (`GET /api/v2/context`)",
    settings: {
      appName: { label: "Name der Anwendung", description: "Zweiter Teil des Namens der Instanz." },
      platformName: { label: "Name der Plattform", description: "Erster Teil des Namens der Instanz, etwa der Name einer Organisation." },
      displayLogo: { label: "Logo zeigen", description: "Ob Clients ein Logo zeigen." },
      logoURL: { label: "Logo", description: "URL des Logos. Leer: das Logo des Clients." },
      signOutUrl: {
        label: "URL zum Abmelden",
        description:
          "Wohin ein Browser zum Abmelden geht, hinter einem Proxy, der Personen anmeldet. Leer: der Client beendet seine Sitzung selbst.",
      },
      communityUrl: { label: "Adresse für Hilfe", description: "Wo Personen Hilfe finden. Leer: Clients bieten keine an." },
    },
  },
  api: {
    name: "API",
    description: "Grenzen für jeden Client",
    settings: {
      "rate.requestsPerSecond": {
        label: "Anfragen pro Sekunde",
        description: "Dauerhaft mögliche Anfragen pro Sekunde für jedes Token oder jede Sitzung, je Prozess.",
      },
      "rate.burst": {
        label: "Anfragen auf einmal",
        description: "Wie viele Anfragen ein Token oder eine Sitzung nach einer Pause auf einmal senden kann, je Prozess.",
      },
    },
  },
  history: {
    name: "Verlauf",
    description:
      "Wie viele Tage der Verlauf aufbewahrt wird. Das meiste wird nach Kalendermonaten entfernt und kann deshalb bis zu einen Monat länger bleiben.",
    settings: {
      runs: {
        label: "Läufe (Tage)",
        description: `Läufe mit ihren Tasks, Logs und Aufgaben, ab ihrem Ende gezählt. Offene Läufe, Läufe mit dem Label keep und Läufe des laufenden Monats bleiben. Ein Team kann weniger Tage setzen. ${forever}`,
      },
      logs: {
        label: "Logs (Tage)",
        description: `Logs, ab dem Ende ihres Laufs gezählt, außer wenn der Lauf das Label keep hat. Ein Team kann weniger Tage setzen. ${forever}`,
      },
      deliveries: {
        label: "Zustellungen (Tage)",
        description: `Zustellungen an Abonnements, auch fehlgeschlagene, und ihre Ereignisse. Ein Team kann weniger Tage setzen. ${forever}`,
      },
      audit: { label: "Audit-Einträge (Tage)", description: `Das Audit-Log aller Teams und der Instanz. ${forever}` },
    },
  },
  alerts: {
    name: "Warnungen",
    description: "Wann Läufe, Warteschlangen und Zeitpläne verspätet sind. Abonnements sagen, wer benachrichtigt wird.",
    settings: {
      "run.percent": {
        label: "Verspäteter Lauf (Prozent)",
        description:
          "Ein Lauf ohne Frist ist verspätet, wenn er länger läuft als diesen Anteil seiner üblichen Dauer: der Dauer, die 95 von 100 der letzten erfolgreichen Läufe seines Workflows höchstens brauchten.",
      },
      "run.minutes": {
        label: "Verspäteter Lauf, mindestens (Minuten)",
        description: "Ein Lauf ohne Frist ist erst verspätet, wenn er so viele Minuten läuft.",
      },
      "queue.minutes": {
        label: "Verspätete Warteschlange (Minuten)",
        description: "Die Warteschlange eines Teams ist verspätet, wenn ihr ältester Task-Lauf so viele Minuten auf einen Worker wartet.",
      },
      "schedule.minutes": {
        label: "Verpasster Zeitplan (Minuten)",
        description: "Eine geplante Zeit gilt als verpasst, wenn ihr Lauf nicht innerhalb so vieler Minuten begonnen hat.",
      },
    },
  },
};

/** What the service says about the form of a value, below its field or in it. */
const hints: Readonly<Record<string, string>> = {
  "A size such as 512Mi or 2Gi": "Eine Größe wie 512Mi oder 2Gi",
  "Whole gibibytes, such as 2Gi": "Ganze Gibibytes, etwa 2Gi",
  "A URL that starts with https:// or http://": "Eine URL, die mit https:// oder http:// beginnt",
  "Leave empty to keep the stored value": "Leer lassen, um den gespeicherten Wert zu behalten",
  Set: "Gesetzt",
  "Not set": "Nicht gesetzt",
};

function hintInGerman(hint: string): string {
  return hints[hint] ?? hint.replace(/^A whole number from (\d+) to (\d+)$/, "Eine ganze Zahl von $1 bis $2");
}

/** What this file does not know, such as a setting of a later service, stays as it is. */
export function settingsInGerman(groups: readonly SettingGroup[]): SettingGroup[] {
  return groups.map((group) => {
    const german = germanSettings[group.key ?? ""];
    if (german === undefined) return group;
    const { name, description, settings } = german;
    const config = group.config?.map((setting) => {
      const { label, description: help, options: words = {} } = settings[setting.key] ?? {};
      const options = setting.options?.map((one) => ({ ...one, value: words[one.key] ?? one.value ?? one.key }));
      return {
        ...{ ...setting, ...(label && { label }), ...(help && { description: help }), ...(options && { options }) },
        ...(setting.helperText && { helperText: hintInGerman(setting.helperText) }),
        ...(setting.placeholder && { placeholder: hintInGerman(setting.placeholder) }),
      };
    });
    return { ...group, name, description, ...(config && { config }) };
  });
}
