/** The dashboard for Grafana, by the metrics that there are. */

import type { MetricName } from "./metrics.ts";

interface Panel {
  title: string;
  type: "timeseries" | "stat";
  /** Of the row's 24 columns. */
  width: number;
  unit?: string;
  /** Shown where there is no value. */
  none?: string;
  /** Expressions with what their lines are called. */
  lines: readonly (readonly [expr: string, legend: string])[];
}

const m = (name: MetricName, labels = ""): string => (labels === "" ? name : `${name}{${labels}}`);
const LIVE = 'env="live"';
const DURATION = m("outrider_http_request_duration_seconds");
/** 0 stands for never, not for 1970. */
const since = (name: MetricName) => `time() - (${m(name)} > 0)`;
const quantile = (q: number) =>
  `histogram_quantile(${q}, sum by (le) (rate(${DURATION}_bucket[10m])))`;

const PANELS: readonly Panel[] = [
  {
    ...{ title: "Since the last backup", type: "stat", width: 6, unit: "s", none: "None yet" },
    lines: [[since("outrider_backup_last_timestamp_seconds"), ""]],
  },
  {
    ...{ title: "Since the last drill", type: "stat", width: 6, unit: "s", none: "None passed" },
    lines: [[since("outrider_drill_last_success_timestamp_seconds"), ""]],
  },
  {
    ...{ title: "First certificate ends in", type: "stat", width: 6, unit: "s", none: "None" },
    lines: [[`(${m("outrider_certificate_expiry_timestamp_seconds")} > 0) - time()`, ""]],
  },
  {
    ...{ title: "Disk free", type: "stat", width: 6, unit: "bytes" },
    lines: [[m("outrider_disk_free_bytes"), ""]],
  },
  {
    ...{ title: "Events per hour", type: "timeseries", width: 12 },
    lines: [
      [
        `sum by (type) (rate(${m("outrider_events_total", `${LIVE},type=~"email.*|reply.*"`)}[10m])) * 3600`,
        "{{type}}",
      ],
    ],
  },
  {
    ...{ title: "Oldest work that is due", type: "timeseries", width: 12, unit: "s" },
    lines: [
      [m("outrider_queue_oldest_seconds", LIVE), "{{queue}}"],
      [m("outrider_send_longest_seconds", LIVE), "being sent"],
    ],
  },
  {
    ...{ title: "Due now", type: "timeseries", width: 8 },
    lines: [[m("outrider_queue_due", LIVE), "{{queue}}"]],
  },
  {
    ...{ title: "Needs a person", type: "timeseries", width: 8 },
    lines: [
      [m("outrider_mailboxes_stopped", `${LIVE},status="error"`), "mailboxes in error"],
      [m("outrider_webhooks_failing", LIVE), "webhooks failing"],
      [m("outrider_leads_on_hold", LIVE), "on hold: {{reason}}"],
    ],
  },
  {
    ...{ title: "Worker faults per hour", type: "timeseries", width: 8 },
    lines: [[`sum by (worker) (increase(${m("outrider_worker_faults_total")}[1h]))`, "{{worker}}"]],
  },
  {
    ...{ title: "Requests per second", type: "timeseries", width: 8, unit: "reqps" },
    lines: [[`sum by (code) (rate(${DURATION}_count[10m]))`, "{{code}}"]],
  },
  {
    ...{ title: "Time until a response begins", type: "timeseries", width: 8, unit: "s" },
    lines: [
      [quantile(0.5), "median"],
      [quantile(0.95), "95%"],
    ],
  },
  {
    ...{ title: "Main thread blocked, times per hour", type: "timeseries", width: 8 },
    lines: [[`sum by (by) (increase(${m("outrider_turns_long_total")}[1h])) > 0`, "{{by}}"]],
  },
  {
    ...{ title: "Sizes", type: "timeseries", width: 12, unit: "bytes" },
    lines: [
      [m("outrider_database_bytes"), "{{env}} {{file}}"],
      [m("process_resident_memory_bytes", 'job="outrider"'), "memory"],
    ],
  },
  {
    ...{ title: "Processor", type: "timeseries", width: 12, unit: "percentunit" },
    lines: [[`rate(${m("process_cpu_seconds_total", 'job="outrider"')}[10m])`, "cores"]],
  },
];

const COLUMNS = 24;
/** Grafana's variable. */
const DATASOURCE = { type: "prometheus", uid: "$datasource" };
const HEIGHTS = { stat: 4, timeseries: 8 } as const;

/** As Grafana imports it. */
export function dashboard(): string {
  let x = 0;
  let y = 0;
  const panels = PANELS.map(({ title, type, width, unit, none, lines }, at) => {
    const h = HEIGHTS[type];
    const gridPos = { h, w: width, x, y };
    x += width;
    if (x === COLUMNS) {
      x = 0;
      y += h;
    }
    const defaults = { ...(unit && { unit }), ...(none && { noValue: none }) };
    return {
      ...{ id: at + 1, type, title, datasource: DATASOURCE, gridPos },
      fieldConfig: { defaults, overrides: [] },
      targets: lines.map(([expr, legendFormat], nth) => ({
        refId: String.fromCodePoint("A".charCodeAt(0) + nth),
        ...{ expr, legendFormat },
      })),
    };
  });
  const list = [{ name: "datasource", type: "datasource", query: "prometheus" }];
  const whole = {
    ...{ title: "Outrider", uid: "outrider", schemaVersion: 39, timezone: "browser" },
    ...{ refresh: "30s", time: { from: "now-24h", to: "now" }, templating: { list }, panels },
  };
  return `${JSON.stringify(whole, null, 2)}\n`;
}
