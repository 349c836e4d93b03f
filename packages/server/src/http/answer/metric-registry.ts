import type { Registry } from "prom-client";
import { readCacheFigures } from "../../base/process/bounded-cache.ts";

/** Requests that have these labels in common. */
export interface RequestSeries {
  labels: { method: string; route: string; status: number };
  count: number;
  seconds: number;
}

export interface MetricRegistry {
  contentType: string;
  read(): Promise<string>;
}

interface Target {
  library: typeof import("prom-client");
  registry: Registry;
}

/** Labels and value. */
type Sample = readonly [Readonly<Record<string, string | number>>, number];

/** All metrics of a process. Each is read at the moment in which someone asks for it. */
export async function createMetricRegistry(requests: ReadonlyMap<string, RequestSeries>): Promise<MetricRegistry> {
  const library = await import("prom-client");
  const registry = new library.Registry();
  const metrics = { library, registry };
  addProcess(metrics);
  addRequests(metrics, requests);
  addCaches(metrics);
  return { contentType: registry.contentType, read: () => registry.metrics() };
}

function addProcess(target: Target): void {
  counter(target, "process_cpu_seconds_total", "Processor time of the process", [], () => {
    const { user, system } = process.cpuUsage();
    return [[{}, (user + system) / 1e6]];
  });
  gauge(target, "process_resident_memory_bytes", "Memory of the process", [], () => [[{}, process.memoryUsage.rss()]]);
  gauge(target, "process_start_time_seconds", "Start time of the process, in seconds since the epoch", [], () => [
    [{}, Math.round(Date.now() / 1000 - process.uptime())],
  ]);
}

function addRequests(target: Target, requests: ReadonlyMap<string, RequestSeries>): void {
  const labels = ["method", "route", "status"];
  const samplesOf = (value: "count" | "seconds") => () => [...requests.values()].map((series): Sample => [series.labels, series[value]]);
  counter(target, "millrace_http_requests_total", "Requests answered", labels, samplesOf("count"));
  counter(target, "millrace_http_request_seconds_total", "Time taken to answer requests", labels, samplesOf("seconds"));
}

function addCaches(target: Target): void {
  const samplesOf = (value: "entries" | "bytes" | "hits" | "misses") => () =>
    readCacheFigures().flatMap((figures): Sample[] => (figures[value] === undefined ? [] : [[{ cache: figures.name }, figures[value]]]));
  gauge(target, "millrace_cache_entries", "Number of entries in a cache", ["cache"], samplesOf("entries"));
  gauge(target, "millrace_cache_bytes", "Estimated size of a cache in bytes, if it is limited by size", ["cache"], samplesOf("bytes"));
  counter(target, "millrace_cache_hits_total", "Lookups found in a cache", ["cache"], samplesOf("hits"));
  counter(target, "millrace_cache_misses_total", "Lookups not found in a cache", ["cache"], samplesOf("misses"));
}

function counter({ library, registry }: Target, name: string, help: string, labelNames: string[], read: () => readonly Sample[]): void {
  new library.Counter({
    ...{ name, help, labelNames, registers: [registry] },
    collect() {
      this.reset();
      for (const [labels, value] of read()) this.inc(labels, value);
    },
  });
}

function gauge({ library, registry }: Target, name: string, help: string, labelNames: string[], read: () => readonly Sample[]): void {
  new library.Gauge({
    ...{ name, help, labelNames, registers: [registry] },
    collect() {
      this.reset();
      for (const [labels, value] of read()) this.set(labels, value);
    },
  });
}
