import type { Page } from "playwright-core";
import { expect } from "vitest";
import { openBrowser } from "./browser.ts";
import { type MainThreadWork, readTrace } from "./trace.ts";

/** The effect of a movement of a few seconds on the page. */
export interface Movement extends MainThreadWork {
  /** Number of animation frames per second. */
  framesPerSecond: number;
  /** The longest time without one. */
  longestGapMs: number;
  /** How often each attribute or list of children changed, as `class attribute`; most frequent first. */
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
 * Observes the page during the steps: frames, changes of its elements, and the work of its main thread. A step is one event, and waits for
 * the page.
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

/** How long the reference work takes on the machine that the limits were set on, in ms. */
const yardstickThereMs = 25;
/** Creates, measures and removes elements, like a page that renders. */
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
 * Expects the processor time of the median step to be below that limit, in milliseconds of the machine that the limits were set on. The
 * slowest steps and the frames per second are only printed: on a machine with shared cores they depend on other programs.
 */
export async function expectLight(name: string, page: Page, movement: Movement, limitMs: number): Promise<void> {
  console.info(describeMovement(name, movement));
  await expectWithin(page, movement.stepMs.p50, limitMs, name);
}

/** The same for any work of a page. */
export async function expectWithin(page: Page, workedMs: number, limitMs: number, name?: string): Promise<void> {
  if (workedMs >= limitMs) expect(workedMs / (await slownessOf(page)), name).toBeLessThan(limitMs);
}

/** How many times longer than that machine this one takes now for the same work of a page; at least 1. */
async function slownessOf(page: Page): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round++) times.push(await workOf(page, () => page.evaluate(yardstick)));
  return Math.max(1, Math.min(...times) / yardstickThereMs);
}

/** Processor time of the page's main thread until that is done, in ms. */
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
