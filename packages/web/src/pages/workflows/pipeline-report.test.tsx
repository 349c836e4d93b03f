import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { showPage } from "../../ui/show-component.tsx";
import { PipelineReport } from "./pipeline-report.tsx";

afterEach(cleanup);

test("the first twenty lines of a report are shown, and how many more there are", async () => {
  const report = Array.from({ length: 23 }, (_, index) => ({ message: `line ${index + 1}: has no effect` }));
  await showPage(<PipelineReport report={report} />);
  expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual(report.slice(0, 20).map(({ message }) => message));
  screen.getByText("3 more");
});
