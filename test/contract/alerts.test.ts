/**
 * Guarantees of the alert rules, by Prometheus' own tool: they are valid; each is raised by what it is for, with
 * the sentence that says what, and not by what is near it but well, above all not by a 0 that stands for never.
 */

import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ALERTS, ALERTS_PATH, alertRules, anchorOf } from "#web/monitoring/alerts.ts";

const PROMTOOL = resolve(import.meta.dir, "../../.toolchain/bin/promtool");
const ORIGIN = "https://mail.example.com";
const isFull = process.env["OUTRIDER_TEST_TIER"] === "full";
const skips = !(existsSync(PROMTOOL) || isFull);

const directory = mkdtempSync(join(tmpdir(), "outrider-alerts-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const RULES = alertRules(ORIGIN);
writeFileSync(join(directory, "rules.yml"), RULES);

/** Values by minute, or five where days are tried, as promtool writes them: `0+5x60` is 0, 5, 10 and so on, 61 of them. */
type Series = Readonly<Record<string, string>>;

interface Case {
  /** When it is looked, counted from 1970, where the tests' clock begins. */
  at: string;
  fires: Series;
  labels?: Readonly<Record<string, string>>;
  summary: string;
  /** By what is well. */
  quiet: readonly Series[];
}

const US = 'job="outrider",instance="a:8480"';
const of = (name: string, labels = "") => `${name}{${US}${labels === "" ? "" : `,${labels}`}}`;
const HOST = { job: "outrider", instance: "a:8480" };
const LIVE = 'env="live"';
const DURATION = "outrider_http_request_duration_seconds";
const count = (code: string) => of(`${DURATION}_count`, `code="${code}"`);
const bucket = (le: string) => of(`${DURATION}_bucket`, `code="200",le="${le}"`);
const queue = (name: string, env = "live") =>
  of("outrider_queue_oldest_seconds", `env="${env}",queue="${name}"`);
const stopped = (status: string, env = "live") =>
  of("outrider_mailboxes_stopped", `env="${env}",status="${status}"`);
const onHold = (reason: string, env = "live") =>
  of("outrider_leads_on_hold", `env="${env}",reason="${reason}"`);
const worker = (name: string) =>
  of("outrider_worker_last_run_timestamp_seconds", `${LIVE},worker="${name}"`);
const STARTED = of("process_start_time_seconds");
const BACKUP = of("outrider_backup_last_timestamp_seconds");
const EVERY = of("outrider_backup_interval_seconds");
const DRILL = of("outrider_drill_last_timestamp_seconds");
const PASSED = of("outrider_drill_last_success_timestamp_seconds");
const CERTIFICATE = of("outrider_certificate_expiry_timestamp_seconds");

const CASES: Readonly<Record<string, Case>> = {
  OutriderDown: {
    ...{ at: "10m", fires: { [of("up")]: "1 0x20" }, labels: HOST },
    summary: "The server doesn't respond to Prometheus",
    quiet: [{ [of("up")]: "1x20" }, { [of("up")]: "1x5 0 0 1x20" }, { 'up{job="node"}': "0x20" }],
  },
  OutriderRestarts: {
    ...{ at: "1h", fires: { [STARTED]: "1 1 2 2 3 3 4 4 5x60" }, labels: HOST },
    summary: "The server restarted 4 times within an hour",
    quiet: [{ [STARTED]: "1x30 2x60" }, { 'process_start_time_seconds{job="node"}': "0+1x60" }],
  },
  OutriderDatabaseDamaged: {
    ...{ at: "1m", fires: { [of("outrider_database_damaged", LIVE)]: "1x5" } },
    labels: { ...HOST, env: "live" },
    summary: "The live database is damaged, and nothing is sent from it",
    quiet: [{ [of("outrider_database_damaged", LIVE)]: "0x5" }],
  },
  OutriderDiskFull: {
    ...{ at: "10m", fires: { [of("outrider_disk_free_bytes")]: "536870912x20" }, labels: HOST },
    summary: "Only 512MiB of disk are free",
    quiet: [{ [of("outrider_disk_free_bytes")]: "1073741824x20" }],
  },
  OutriderDiskFilling: {
    // A GiB an hour of 16, and of 100.
    ...{ at: "7h", fires: { [of("outrider_disk_free_bytes")]: "17179869184-17895697x600" } },
    labels: HOST,
    summary: "At the rate of the last six hours, the disk is full within a day",
    quiet: [
      { [of("outrider_disk_free_bytes")]: "107374182400-17895697x600" },
      { [of("outrider_disk_free_bytes")]: "17179869184-178956x600" },
    ],
  },
  OutriderRequestsFailing: {
    at: "30m",
    fires: { [count("200")]: "0+90x60", [count("500")]: "0+10x60" },
    ...{ labels: HOST, summary: "10% of the requests fail" },
    quiet: [
      { [count("200")]: "0+99x60", [count("500")]: "0+1x60" },
      { [count("200")]: "0+10x60", [count("502")]: "0+90x60", [count("404")]: "0+90x60" },
      { [count("200")]: "0x60", [count("500")]: "0x60" },
    ],
  },
  OutriderRequestsSlow: {
    at: "40m",
    fires: { [bucket("1")]: "0+50x60", [bucket("2.5")]: "0+100x60", [bucket("+Inf")]: "0+100x60" },
    ...{ labels: HOST, summary: "One request of 20 takes longer than 2.35s" },
    quiet: [
      { [bucket("1")]: "0+96x60", [bucket("2.5")]: "0+100x60", [bucket("+Inf")]: "0+100x60" },
      { [bucket("1")]: "0x60", [bucket("2.5")]: "0x60", [bucket("+Inf")]: "0x60" },
    ],
  },
  OutriderLongTurns: {
    ...{ at: "1h", fires: { [of("outrider_turns_long_total", 'by="request"')]: "0+1x60" } },
    labels: HOST,
    summary: "The main thread was blocked 60 times within an hour",
    quiet: [{ [of("outrider_turns_long_total", 'by="request"')]: "0x30 5x60" }],
  },
  OutriderSendsLate: {
    ...{ at: "20m", fires: { [queue("sends")]: "0 700+60x30" } },
    labels: { ...HOST, env: "live", queue: "sends" },
    summary: "An email is overdue by 30m 40s",
    quiet: [{ [queue("sends")]: "30x30" }, { [queue("sends", "test")]: "90000x30" }],
  },
  OutriderSendSlow: {
    ...{ at: "20m", fires: { [of("outrider_send_longest_seconds", LIVE)]: "900x30" } },
    labels: { ...HOST, env: "live" },
    summary: "An email has been on its way to its server for 15m 0s",
    quiet: [{ [of("outrider_send_longest_seconds", LIVE)]: "290x30" }],
  },
  OutriderRepliesLate: {
    ...{ at: "20m", fires: { [queue("polls")]: "3600x30" } },
    labels: { ...HOST, env: "live", queue: "polls" },
    summary: "A mailbox hasn't been read for 1h 0m 0s after it was due",
    quiet: [{ [queue("polls")]: "600x30" }],
  },
  OutriderMailboxesInError: {
    ...{ at: "2h", fires: { [stopped("error")]: "2x180" } },
    labels: { ...HOST, env: "live", status: "error" },
    summary: "Mailboxes in error: 2",
    quiet: [
      { [stopped("error")]: "0x180", [stopped("paused")]: "4x180" },
      { [stopped("error", "test")]: "3x180" },
      { [stopped("error")]: "0x90 1x30 0x60" },
    ],
  },
  OutriderLeadsOnHold: {
    ...{ at: "25h", fires: { [onHold("unknown_send")]: "3x1600", [onHold("task")]: "9x1600" } },
    ...{ labels: HOST, summary: "Leads on hold for a day: 3" },
    quiet: [{ [onHold("task")]: "9x1600" }, { [onHold("unknown_send", "test")]: "9x1600" }],
  },
  OutriderWebhooksFailing: {
    ...{ at: "2h", fires: { [of("outrider_webhooks_failing", LIVE)]: "1x180" } },
    ...{ labels: { ...HOST, env: "live" }, summary: "Webhooks failing: 1" },
    quiet: [{ [of("outrider_webhooks_failing", LIVE)]: "0x90 1x20 0x60" }],
  },
  OutriderDeliveriesLate: {
    ...{ at: "20m", fires: { [queue("deliveries")]: "1200x30" } },
    labels: { ...HOST, env: "live", queue: "deliveries" },
    summary: "A webhook's delivery is overdue by 20m 0s",
    quiet: [{ [queue("deliveries")]: "5x30" }],
  },
  OutriderWorkerFaults: {
    at: "20m",
    fires: { [of("outrider_worker_faults_total", `${LIVE},worker="send"`)]: "0x12 1x20" },
    labels: { ...HOST, env: "live", worker: "send" },
    summary: "The live worker send failed by a fault of the program",
    quiet: [{ [of("outrider_worker_faults_total", `${LIVE},worker="send"`)]: "7x60" }],
  },
  OutriderWorkerStopped: {
    ...{ at: "1h", fires: { [worker("send")]: "60x60", [STARTED]: "1x60" } },
    labels: { ...HOST, env: "live", worker: "send" },
    summary: "The live worker send hasn't run for 59m 0s",
    quiet: [
      { [worker("send")]: "0+60x60", [STARTED]: "1x60" },
      // It starts just now.
      { [worker("send")]: "0x60", [STARTED]: "3000x60" },
      // A backup takes an hour.
      { [worker("backups")]: "60x60", [STARTED]: "1x60" },
    ],
  },
  OutriderNoBackup: {
    ...{ at: "2h", fires: { [BACKUP]: "0x180", [EVERY]: "0x180" }, labels: HOST },
    summary: "There is no backup yet",
    quiet: [{ [BACKUP]: "0x40 2400x180" }],
  },
  OutriderBackupOld: {
    ...{ at: "3d", fires: { [BACKUP]: "60x1000", [EVERY]: "86400x1000" }, labels: HOST },
    summary: "The newest backup is 2d 23h 59m 0s old",
    quiet: [
      { [BACKUP]: "0x1000", [EVERY]: "0x1000" },
      { [BACKUP]: "172800x1000", [EVERY]: "86400x1000" },
      // Made once a week.
      { [BACKUP]: "60x1000", [EVERY]: "604800x1000" },
    ],
  },
  OutriderDrillFailed: {
    ...{ at: "1h", fires: { [DRILL]: "60x60", [PASSED]: "0x60" }, labels: HOST },
    summary:
      "The last drill failed: that backup can't be restored, or something is missing from it",
    quiet: [
      { [DRILL]: "0x60", [PASSED]: "0x60" },
      { [DRILL]: "60x60", [PASSED]: "60x60" },
    ],
  },
  OutriderDrillOld: {
    ...{ at: "11d", fires: { [PASSED]: "60x4000" }, labels: HOST },
    summary: "The last drill was 10d 23h 59m 0s ago",
    quiet: [{ [PASSED]: "0x4000" }, { [PASSED]: "172800x4000" }],
  },
  OutriderNoDrill: {
    ...{ at: "11d", fires: { [DRILL]: "0x4000", [EVERY]: "86400x4000" }, labels: HOST },
    summary: "Backups are made, but none has ever been tried",
    quiet: [
      { [DRILL]: "0x4000", [EVERY]: "0x4000" },
      { [DRILL]: "60x4000", [EVERY]: "86400x4000" },
      { [DRILL]: "0x4000", [EVERY]: "0x1600 86400x2400" },
    ],
  },
  OutriderCertificateEnds: {
    ...{ at: "2h", fires: { [CERTIFICATE]: "612000x180" }, labels: HOST },
    summary: "A certificate ends in 7d 0h 0m 0s",
    quiet: [{ [CERTIFICATE]: "0x180" }, { [CERTIFICATE]: "5184000x180" }],
  },
  OutriderNoCertificate: {
    ...{ at: "2h", fires: { [of("outrider_hosts_without_certificate")]: "1x180" }, labels: HOST },
    summary: "Hosts without a certificate: 1",
    quiet: [{ [of("outrider_hosts_without_certificate")]: "0x90 1x10 0x90" }],
  },
};

test("every alert has a case", () => {
  expect(Object.keys(CASES)).toEqual(ALERTS.map(({ name }) => name));
});

describe.skipIf(skips)("promtool", () => {
  test("finds the rules valid", () => {
    const said = ask("check", "rules", "rules.yml");
    expect(said).toEqual({
      exit: 0,
      said: expect.stringContaining(`${ALERTS.length} rules found`),
    });
  });

  test.each(Object.keys(CASES))("%s is raised, and isn't where all is well", (name) => {
    const { at, fires, quiet, labels = {}, summary } = CASES[name]!;
    const { severity, action } = ALERTS.find((alert) => alert.name === name)!;
    const interval = /d$|25h/.test(at) ? "5m" : "1m";
    const annotations = {
      ...{ summary, description: action },
      runbook_url: `${ORIGIN}${ALERTS_PATH}#${anchorOf(name)}`,
    };
    const raised = { exp_labels: { severity, ...labels }, exp_annotations: annotations };
    const tests = [{ series: fires, exp_alerts: [raised as object] }]
      .concat(quiet.map((series) => ({ series, exp_alerts: [] })))
      .map(({ series, exp_alerts }) => ({
        ...{ interval },
        input_series: Object.entries(series).map(([one, values]) => ({ series: one, values })),
        alert_rule_test: [{ eval_time: at, alertname: name, exp_alerts }],
      }));
    const groups = Bun.YAML.parse(RULES) as { groups: { rules: { alert: string }[] }[] };
    const rules = groups.groups.flatMap((group) => group.rules).filter((one) => one.alert === name);
    writeFileSync(join(directory, "one.yml"), JSON.stringify({ groups: [{ name, rules }] }));
    const file = { rule_files: ["one.yml"], evaluation_interval: interval, tests };
    writeFileSync(join(directory, `${name}.yml`), JSON.stringify(file));
    const { exit, said } = ask("test", "rules", `${name}.yml`);
    expect({ exit, said: exit === 0 ? "" : said }).toEqual({ exit: 0, said: "" });
  });
});

function ask(...args: string[]): { exit: number; said: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync([PROMTOOL, ...args], { cwd: directory });
  return { exit: exitCode, said: `${stdout}${stderr}` };
}
