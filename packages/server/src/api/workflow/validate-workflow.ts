import { ref } from "@millrace/contract/schema.ts";
import { workflow } from "@millrace/contract/workflow/workflow.ts";
import { type WorkflowProblem, workflowProblem } from "@millrace/contract/workflow/workflow-problem.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { findProblems } from "../../domain/workflow/find-problems.ts";
import { loadSaveContext } from "../../domain/workflow/save-context.ts";
import { saveEmbeddedTasks } from "../../domain/workflow/save-embedded-tasks.ts";
import type { Database, Queryable } from "../../store/database/database.ts";
import { transactionWithoutCommit } from "../../store/database/transaction.ts";
import { type Context, defineEndpoint, reply } from "../endpoint.ts";
import { presentWorkflow } from "../present-body.ts";
import { teamPath } from "../request-parameters.ts";
import { warningHeader } from "../task/answer-task.ts";
import { saveTaskContext } from "../task/read-task-body.ts";
import { hasForeignKind, readWorkflowBody, type WorkflowBody, workflowMediaTypes } from "./read-workflow-body.ts";
import { embeddedPlaces, embeddedWarnings } from "./save-pipeline-tasks.ts";
import { workflowBodyLimit } from "./workflow.view.ts";

export const validateWorkflow = defineEndpoint({
  method: "POST",
  path: "/api/v2/team/:team/workflow/validate",
  summary: "Check a workflow without saving it",
  description:
    "Uses the rules of a save, and returns all problems at once, with their nodes. Without a problem of severity `error` it can be saved. " +
    "YAML with a `kind` of Tekton is a Pipeline or PipelineRun: messages have line and column, and paths are those of the document.",
  tag: "Workflows",
  permission: "workflow/read",
  transaction: "none",
  isNoChange: true,
  bodyLimit: workflowBodyLimit,
  params: teamPath,
  consumes: [...workflowMediaTypes],
  readsYaml: hasForeignKind,
  documentKinds: ["Workflow"],
  body: ref(workflow),
  presentBody: presentWorkflow,
  response: Type.Array(ref(workflowProblem)),
  async handle(context) {
    if (context.mediaType !== "application/x-yaml") return reply({ body: await problemsOf(context, context.db, context.body) });
    const written = readPipeline(context);
    if ("problems" in written) return reply({ body: written.problems });
    const { problems, warnings } = await checkPipeline(context, written);
    return reply({ headers: warningHeader(warnings), body: problems });
  },
});

type Request = Pick<Context<unknown, unknown, unknown, Database>, "db" | "team" | "principal" | "keyring" | "services">;

async function problemsOf({ team, principal, keyring, services }: Request, db: Queryable, input: WorkflowBody["input"]) {
  return findProblems(db, await loadSaveContext(db, team.id, principal.name, keyring, services.runs), input);
}

/** An error that prevents a document from becoming a workflow is reported as a problem. */
function readPipeline(body: Parameters<typeof readWorkflowBody>[0]): WorkflowBody | { problems: WorkflowProblem[] } {
  try {
    return readWorkflowBody(body);
  } catch (error) {
    return { problems: asProblems(error) };
  }
}

/** Tasks inside are saved before the workflow is examined, since it refers to them; and nothing of this is kept. */
async function checkPipeline(
  request: Request,
  { input, embedded, notes, locate, place }: WorkflowBody,
): Promise<{ problems: WorkflowProblem[]; warnings: string[] }> {
  return transactionWithoutCommit(request.db, async (tx) => {
    const context = await saveTaskContext(request.team, { ...request, db: tx });
    const found: WorkflowProblem[] = [];
    const faulty = new Set<string>();
    const warnings: string[] = [];
    for (const task of embedded) {
      try {
        warnings.push(...embeddedWarnings(await saveEmbeddedTasks(tx, context, [task], embeddedPlaces(place))));
      } catch (error) {
        faulty.add(task.node);
        found.push(...asProblems(error).map((problem) => ({ ...problem, node: task.node })));
      }
    }
    const ofWorkflow = await problemsOf(request, tx, input);
    const others = ofWorkflow.filter(({ node, reason }) => !(reason === "WORKFLOW_INVALID_TASK_REF" && faulty.has(node ?? "")));
    const placed = others.map(({ path, ...problem }) =>
      path === undefined ? problem : { ...problem, ...locate([{ path, message: problem.message }])[0] },
    );
    const rank = ({ severity }: WorkflowProblem) => (severity === "error" ? 0 : 1);
    return { problems: [...found, ...placed, ...notes].sort((one, other) => rank(one) - rank(other)), warnings };
  });
}

/** @throws errors that are not caused by the document */
function asProblems(error: unknown): WorkflowProblem[] {
  if (!(error instanceof AppError)) throw error;
  const { reason, message, details } = error;
  if (details === undefined || details.length === 0) return [{ severity: "error", reason, message }];
  return details.map((detail) => ({ severity: "error", reason, ...detail }));
}
