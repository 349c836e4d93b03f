import type { Page } from "playwright-core";
import { expect } from "vitest";
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
function describeMovement(name: string, movement: Movement): string {
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

/** What the known piece of work takes on the machine that the limits were set on, in ms. */
const yardstickThereMs = 25;
/** Makes, measures and drops elements, as a page that draws itself does. */
const yardstick = `(() => {
  const box = document.body.appendChild(document.createElement("div"));
  box.style.cssText = "position: fixed; visibility: hidden; width: 300px";
  for (let round = 0; round < 10; round++) {
    box.innerHTML = Array.from({ length: 200 }, (_, index) => "<p><b>task " + index * round + "</b> is drawn</p>").join("");
    if (box.getBoundingClientRect().height === 0) throw new Error("the yardstick is not drawn");
  }
  box.remove();
})()`;

/**
 * The processor time of the middle step is below that limit, in milliseconds of the machine that the limits were set on. The slowest steps and
 * the frames in a second are printed only: on a machine whose cores are shared they measure the other programs.
 */
export async function expectLight(name: string, page: Page, movement: Movement, limitMs: number): Promise<void> {
  console.info(describeMovement(name, movement));
  await expectWithin(page, movement.stepMs.p50, limitMs, name);
}

/** The same of any work of a page. */
export async function expectWithin(page: Page, workedMs: number, limitMs: number, name?: string): Promise<void> {
  if (workedMs >= limitMs) expect(workedMs / (await slownessOf(page)), name).toBeLessThan(limitMs);
}

/** How many times as long as there this machine takes now for the same work of a page; at least 1. */
async function slownessOf(page: Page): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round++) times.push(await workOf(page, () => page.evaluate(yardstick)));
  return Math.max(1, Math.min(...times) / yardstickThereMs);
}

/** What the main thread of the page works until that is done, in ms of processor time. */
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
