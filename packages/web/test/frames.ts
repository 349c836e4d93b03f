import type { Page } from "playwright-core";
import { openBrowser } from "./browser.ts";
import { type MainThreadWork, readTrace } from "./trace.ts";

/** What a movement of some seconds did to the page. */
export interface Movement extends MainThreadWork {
  /** Times that the page was asked for a frame, by the second. */
  framesPerSecond: number;
  /** The longest time without one. */
  longestGapMs: number;
  /** How often which attribute or list of children changed, as `class attribute`; most often first. */
  mutations: [string, number][];
  steps: number;
}

const categories = [
  "toplevel",
  "blink.user_timing",
  "devtools.timeline",
  "disabled-by-default-devtools.timeline",
  "disabled-by-default-devtools.timeline.frame",
  "cc",
  "benchmark",
  "viz",
];

/**
 * Watches the page while the steps are done: frames, changes of its elements, and what its main thread works. A step is one event,
 * and waits for the page.
 */
export async function watchMovement(page: Page, steps: number, step: (index: number) => Promise<void>): Promise<Movement> {
  const browser = await openBrowser();
  await page.evaluate(watchPage);
  await browser.startTracing(page, { categories });
  await page.evaluate("window.movement.begin()");
  for (let index = 0; index < steps; index++) await step(index);
  const seen = (await page.evaluate("window.movement.end()")) as { times: number[]; mutations: [string, number][] };
  const trace = await browser.stopTracing();
  const gaps = seen.times.slice(1).map((time, index) => time - (seen.times[index] ?? 0));
  const seconds = ((seen.times.at(-1) ?? 0) - (seen.times[0] ?? 0)) / 1_000;
  return {
    ...readTrace(JSON.parse(trace.toString())),
    framesPerSecond: gaps.length / seconds,
    longestGapMs: Math.max(...gaps),
    mutations: seen.mutations,
    steps,
  };
}

/** Runs in the page. */
const watchPage = `
  window.movement = (() => {
    const times = [];
    const counts = new Map();
    let isOn = false;
    const count = (records) => {
      for (const { type, target, attributeName } of records) {
        const name = String(target.getAttribute?.("class") ?? target.nodeName).split(" ")[0] + " " + (attributeName ?? type);
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    };
    const observer = new MutationObserver(count);
    const frame = (time) => {
      times.push(time);
      if (isOn) requestAnimationFrame(frame);
    };
    return {
      begin() {
        isOn = true;
        performance.mark("movement-begin");
        observer.observe(document.documentElement, { subtree: true, childList: true, attributes: true, characterData: true });
        requestAnimationFrame(frame);
      },
      end() {
        isOn = false;
        performance.mark("movement-end");
        count(observer.takeRecords());
        observer.disconnect();
        return { times, mutations: [...counts].sort((one, other) => other[1] - one[1]) };
      },
    };
  })();
  undefined`;

/** A line for the console. */
export function describeMovement(name: string, movement: Movement): string {
  const { framesPerSecond, longestGapMs, stepMs, kinds, raster, droppedFrames, drawnFrames, most } = movement;
  const ms = (value: number) => value.toFixed(1);
  return [
    `${name}: ${framesPerSecond.toFixed(0)} frames/s (longest gap ${longestGapMs.toFixed(0)} ms, ${drawnFrames} drawn, ${droppedFrames} dropped)`,
    `main thread p50 ${ms(stepMs.p50)}, p95 ${ms(stepMs.p95)}, longest ${ms(stepMs.longest)} ms of processor time a frame`,
    `(${Object.entries(kinds)
      .map(([kind, time]) => `${kind} ${ms(time)}`)
      .join(", ")} on average); raster ${ms(raster)} ms a frame`,
    `most: ${most.map(([what, time]) => `${what} ${time.toFixed(2)}`).join(", ")}`,
  ].join("; ");
}

/** What the main thread of the page works until that is done, in ms of processor time: however busy the machine is. */
export async function workOf(page: Page, action: () => Promise<unknown>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const seconds = async () =>
    (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
  const before = await seconds();
  await action();
  const after = await seconds();
  await session.detach();
  return (after - before) * 1_000;
}
