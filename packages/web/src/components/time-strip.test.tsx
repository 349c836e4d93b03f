import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { show } from "../ui/show-component.tsx";
import { TimeStrip } from "./time-strip.tsx";

afterEach(cleanup);

const none = { worker: 0, queue: 0, quota: 0, start: 0, retry: 0, lock: 0, person: 0, event: 0, sleep: 0, run: 0 };

test("each kind that took time is listed with its length", () => {
  show(<TimeStrip times={{ ...none, worker: 42_000, person: 3_600_000 }} />);
  expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent?.trim())).toEqual(["Worker 42 s", "People 1 h"]);
});

test("where no time is recorded it says so", () => {
  show(<TimeStrip times={none} />);
  screen.getByText("No time recorded");
});
