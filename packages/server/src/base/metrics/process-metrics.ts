import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, Gauge } from "prom-client";
import { readCacheFigures } from "../process/bounded-cache.ts";
import { metrics } from "./metrics.ts";

/** Metrics of the process itself, computed at the moment of a request. */

type Sample = readonly [Readonly<Record<string, string | number>>, number];

counter("process_cpu_seconds_total", "Processor time of the process", [], () => {
  const { user, system } = process.cpuUsage();
  return [[{}, (user + system) / 1e6]];
});
gauge("process_resident_memory_bytes", "Memory of the process", [], () => [[{}, process.memoryUsage.rss()]]);
gauge("process_start_time_seconds", "Start time of the process, in seconds since the epoch", [], () => [
  [{}, Math.round(Date.now() / 1000 - process.uptime())],
]);
gauge(
  "millrace_event_loop_delay_seconds",
  "How late timers of this process ran since the last read of the metrics; absent at the first read",
  ["percentile"],
  readLoopDelay,
);

const samplesOf = (value: "entries" | "bytes" | "hits" | "misses") => () =>
  readCacheFigures().flatMap((figures): Sample[] => (figures[value] === undefined ? [] : [[{ cache: figures.name }, figures[value]]]));
gauge("millrace_cache_entries", "Number of entries in a cache", ["cache"], samplesOf("entries"));
gauge("millrace_cache_bytes", "Estimated size of a cache in bytes, if it is limited by size", ["cache"], samplesOf("bytes"));
counter("millrace_cache_hits_total", "Lookups found in a cache", ["cache"], samplesOf("hits"));
counter("millrace_cache_misses_total", "Lookups not found in a cache", ["cache"], samplesOf("misses"));

/** Started by the first request: a process whose metrics nobody reads is not woken for it. */
let delays: IntervalHistogram | undefined;

function readLoopDelay(): readonly Sample[] {
  if (delays === undefined) {
    delays = monitorEventLoopDelay({ resolution: 20 });
    delays.enable();
    return [];
  }
  if (delays.count === 0) return [];
  const seconds = (nanoseconds: number) => nanoseconds / 1e9;
  const samples: Sample[] = [50, 99, 100].map((percent) => [
    { percentile: String(percent) },
    seconds((delays as IntervalHistogram).percentile(percent)),
  ]);
  delays.reset();
  return samples;
}

function counter(name: string, help: string, labelNames: string[], read: () => readonly Sample[]): void {
  new Counter({
    ...{ name, help, labelNames, registers: [metrics] },
    collect() {
      this.reset();
      for (const [labels, value] of read()) this.inc(labels, value);
    },
  });
}

function gauge(name: string, help: string, labelNames: string[], read: () => readonly Sample[]): void {
  new Gauge({
    ...{ name, help, labelNames, registers: [metrics] },
    collect() {
      this.reset();
      for (const [labels, value] of read()) this.set(labels, value);
    },
  });
}
