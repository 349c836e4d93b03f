import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { show } from "../show-component.tsx";
import { StatusMark, statusLook, statusSign } from "./status-mark.tsx";

afterEach(cleanup);

test("a run in which nothing runs says what it waits for, and lists several things on hover", () => {
  show(<StatusMark status="running" phase="running" waitKinds={["action", "sleep"]} />);
  expect(screen.getByText("Waiting for a person").parentElement?.title).toBe("Waiting for a person, Waiting for a time");
  expect([statusLook("running", "running").word, statusSign("running", "running")]).toEqual(["Running", "▶"]);
  expect(statusSign("running", "running", ["lock"])).toBe("⧗");
});

test("a finished run waits for nothing, whatever an outdated response says", () => {
  expect(statusLook("cancelled", "completed", ["lock"]).word).toBe("Cancelled");
});
