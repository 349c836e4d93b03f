import { Command } from "commander";
import { type Connection, connect } from "../connection/connect.ts";
import { exitCodes, Failure } from "../failure.ts";
import { scheduleKind } from "../kinds/settings.ts";
import { formatDate } from "../output/format-time.ts";
import { type Format, outputOption, printList } from "../output/print.ts";
import { exampleCommand, readCount } from "./client-command.ts";

interface NextFlags {
  cron?: string;
  timezone: string;
  count: number;
  output: Format;
}

/** `millrace schedule next` */
export function scheduleCommand(): Command {
  const schedule = new Command("schedule").description("Preview schedules");
  const next = exampleCommand("next", "Show the next times of a schedule or a cron expression", [
    "schedule next nightly-report --count 3",
    'schedule next --cron "0 9 * * MON-FRI" --timezone Europe/Berlin',
  ])
    .argument("[SCHEDULE]", "name or ID")
    .option("--cron <EXPRESSION>", "an expression instead of a schedule")
    .option("--timezone <NAME>", "time zone of the expression", "UTC")
    .option("--count <NUMBER>", "how many times, up to 10", readCount, 5)
    .addOption(outputOption())
    .action(showNext);
  schedule.addCommand(next);
  return schedule;
}

async function showNext(name: string | undefined, { cron, timezone, count, output }: NextFlags, command: Command): Promise<void> {
  if ((name === undefined) === (cron === undefined))
    throw new Failure(
      exitCodes.notUnderstood,
      "Neither a schedule nor an expression is given, or both",
      "Name a schedule, or use --cron EXPRESSION",
    );
  const connection = connect(command);
  const wanted = cron !== undefined ? { cron, timezone } : await readTimes(connection, name!);
  const times = "date" in wanted ? [wanted.date] : await nextTimes(connection, wanted);
  const zone = wanted.timezone ?? timezone;
  const local = new Intl.DateTimeFormat("en-GB", { timeZone: zone, dateStyle: "medium", timeStyle: "long" });
  await printList(
    output,
    times.slice(0, count).map((time) => ({ time, local: local.format(new Date(time)) })),
    {
      columns: [
        { header: "TIME", value: ({ time }) => formatDate(time) },
        { header: zone.toUpperCase(), value: (row) => row.local },
      ],
      nameOf: ({ time }) => time,
    },
  );
}

interface Times {
  cron: string;
  timezone: string;
  exclusions?: string[];
}

/** @throws {Failure} when the schedule has no further times */
async function readTimes(connection: Connection, name: string): Promise<Times | { date: string; timezone: string }> {
  const schedule = await scheduleKind.get({ connection, team: await connection.team() }, name);
  const { status, cronSchedule, nextScheduleDate, timezone, exclusions } = schedule;
  if (!nextScheduleDate)
    throw new Failure(exitCodes.conflict, `The schedule ${name} has no next time: it is ${status}`, schedule.statusMessage ?? undefined);
  if (!cronSchedule) return { date: nextScheduleDate, timezone: timezone! };
  return { cron: cronSchedule, timezone: timezone!, exclusions: exclusions ?? undefined };
}

async function nextTimes(connection: Connection, query: Times): Promise<string[]> {
  const params = { path: { team: await connection.team() }, query };
  const { valid, message, next = [] } = await connection.client.get("/api/v2/team/{team}/schedule/validate-cron", { params });
  if (!valid) throw new Failure(exitCodes.notUnderstood, message ?? `The expression ${query.cron} is invalid`);
  return next;
}
