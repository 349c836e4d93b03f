import { expect, test } from "vitest";
import { type ActionMessage, buildActionMessage } from "./action-message.ts";

const action: ActionMessage = {
  ...{ id: "a1", type: "approval", status: "submitted", title: "Release", taskName: "ask", workflowName: "build", teamName: "hawks" },
  ...{
    instructions: "Look",
    approvalsRequired: 1,
    deadline: null,
    runLink: "<https://m.example/hawks/activity/r1|r1>",
    votes: [],
    notes: [],
    escalatedTo: null,
  },
  page: "https://m.example/hawks/actions/a1",
  links: [{ label: "Notes", url: "https://example.com/notes" }],
  fields: ["Region", "<!channel>"],
  attachments: ["Report"],
};
const linesOf = (message: ActionMessage) => JSON.stringify(buildActionMessage(message).blocks[0]);

test("an open request says what is to fill in and to look at, and where it is read as a whole", () => {
  const lines = linesOf(action);
  for (const line of ["To fill in: Region, &lt;!channel&gt;", "Attached: Report", "<https://m.example/hawks/actions/a1|Open the request>"])
    expect(lines).toContain(line);
  expect(JSON.stringify(buildActionMessage(action).blocks)).toContain("Fill in and approve");
});

test("a link of the workflow shows where it leads, whatever its label says", () => {
  const links = [
    { label: "https://m.example/hawks/actions/a1", url: "https://evil.example/|x" },
    { label: "<https://m.example|Decide here>", url: "https://evil.example/b" },
  ];
  const lines = linesOf({ ...action, links });
  expect(lines).toContain("https://m.example/hawks/actions/a1: <https://evil.example/%7Cx>");
  expect(lines).toContain("&lt;https://m.example|Decide here&gt;: <https://evil.example/b>");
});

test("an open request says to whom it was escalated", () => {
  expect(linesOf({ ...action, escalatedTo: "<leads>" })).toContain("Escalated to &lt;leads&gt;");
});

test("one that is decided asks for nothing any more", () => {
  expect(linesOf({ ...action, status: "approved" })).not.toMatch(/To fill in|Attached|Open the request/);
});
