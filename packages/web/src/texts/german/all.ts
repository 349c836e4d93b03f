import { outcomeInGerman } from "../../api/german-outcomes.ts";
import { reasonInGerman } from "../../api/german-reasons.ts";
import { actions } from "./actions.ts";
import { audit } from "./audit.ts";
import { code } from "./code.ts";
import { forms } from "./forms.ts";
import { frame } from "./frame.ts";
import { home } from "./home.ts";
import { profile } from "./identity/profile.ts";
import { signIn } from "./identity/sign-in.ts";
import { tokens } from "./identity/tokens.ts";
import { integrations } from "./integrations.ts";
import { missing } from "./missing.ts";
import { onCall } from "./on-call.ts";
import { parameters } from "./parameters.ts";
import { results } from "./results.ts";
import { activity } from "./run/activity.ts";
import { bulk } from "./run/bulk.ts";
import { comments } from "./run/comments.ts";
import { insights } from "./run/insights.ts";
import { log } from "./run/log.ts";
import { rerun } from "./run/rerun.ts";
import { run } from "./run/run.ts";
import { runCompare } from "./run/run-compare.ts";
import { views } from "./run/views.ts";
import { schedules } from "./schedules.ts";
import { administration } from "./settings/administration.ts";
import { setup } from "./settings/setup.ts";
import { shared } from "./shared.ts";
import { taskForm } from "./task/task-form.ts";
import { tasks } from "./task/tasks.ts";
import { team } from "./team.ts";
import { ui } from "./ui.ts";
import { configure } from "./workflow/configure.ts";
import { designer } from "./workflow/designer.ts";
import { protection } from "./workflow/protection.ts";
import { request } from "./workflow/request.ts";
import { templates } from "./workflow/templates.ts";
import { trial } from "./workflow/trial.ts";
import { triggers } from "./workflow/triggers.ts";
import { turns } from "./workflow/turns.ts";
import { workflowOverview } from "./workflow/workflow-overview.ts";
import { workflowTests } from "./workflow/workflow-tests.ts";
import { workflows } from "./workflow/workflows.ts";

/**
 * German as it is used in software: plain, with infinitives on buttons ("Speichern", "Token widerrufen"). "Sie" only where a person is meant;
 * headings and helps do without. Words that Germans use in English stay: Workflow, Task, Team, Token, Log, Label, Secret, Worker, Executor,
 * Slot, Webhook, Workspace, Slug, Host, Image, Container, Sandbox, Designer, Graph, Median, Audit.
 *
 * run: der Lauf, ausführen          action: die Aufgabe              manual task: der manuelle Task
 * approval: die Genehmigung         to approve: genehmigen           to reject: ablehnen
 * approver group: Genehmigergruppe  schedule: der Zeitplan           trigger: der Auslöser
 * backfill: nachholen               jitter: die Streuung             deadline: die Frist
 * timeout: das Zeitlimit            timed out: Zeitlimit überschritten  retry: wiederholen, die Wiederholung
 * rerun: erneut ausführen           to cancel: abbrechen             outcome: der Ausgang
 * queue: die Warteschlange          queue time: die Wartezeit        lock: die Sperre
 * quota: das Kontingent             limit: die Grenze                retention: die Aufbewahrung
 * owner: Eigentümer                 editor: Bearbeiter               reader: Leser
 * member: das Mitglied              user: der Benutzer               permission: die Berechtigung
 * event: das Ereignis               delivery: die Zustellung         subscription: das Abonnement
 * insights: die Auswertung          activity: die Aktivität          history: der Verlauf
 * template: die Vorlage             draft: der Entwurf               trial: der Probelauf
 * pinned: angeheftet                link (in a graph): die Verbindung  canvas: die Zeichenfläche
 * reference: der Verweis            value: der Wert                  result: das Ergebnis
 * bulk operation: die Sammelaktion  to acknowledge: übernehmen       to revoke: widerrufen
 * sign in, out: anmelden, abmelden  handbook: das Handbuch           payload: die Nutzlast
 */
export const catalogues = {
  "workflow-tests": workflowTests,
  turns,
  rerun,
  request,
  actions,
  activity,
  administration,
  audit,
  bulk,
  comments,
  configure,
  designer,
  code,
  forms,
  frame,
  home,
  insights,
  integrations,
  log,
  missing,
  "on-call": onCall,
  parameters,
  profile,
  protection,
  results,
  "run-compare": runCompare,
  run,
  schedules,
  setup,
  shared,
  "sign-in": signIn,
  "task-form": taskForm,
  tasks,
  team,
  templates,
  tokens,
  trial,
  triggers,
  ui,
  views,
  "workflow-overview": workflowOverview,
  workflows,
} as const;

/** Sentences of the service: about tasks and runs, and about schedules, deliveries and refused runs. */
export const sentenceInGerman = { task: reasonInGerman, outcome: outcomeInGerman };
