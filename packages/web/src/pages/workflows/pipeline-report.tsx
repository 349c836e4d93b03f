import { List, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { t } from "../../texts/workflow/workflows.ts";

interface ReportLine {
  message: string;
}

const mostShown = 20;

/** The parts of a Tekton pipeline that have no effect here, and what was saved in addition to the workflow. Shown until it is closed. */
export function showPipelineReport(report: readonly ReportLine[]): void {
  notifications.show({
    color: "yellow",
    title: t("pipelineReport.title", { count: report.length }),
    message: <PipelineReport report={report} />,
    autoClose: false,
  });
}

export function PipelineReport({ report }: { report: readonly ReportLine[] }) {
  const hidden = report.length - mostShown;
  return (
    <>
      <List size="sm" c="var(--ink)">
        {report.slice(0, mostShown).map(({ message }) => (
          <List.Item key={message}>{message}</List.Item>
        ))}
      </List>
      {hidden > 0 && <Text size="sm">{t("pipelineReport.more", { count: String(hidden) })}</Text>}
    </>
  );
}
