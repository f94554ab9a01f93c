/**
 * A DMARC aggregate report, read as it streams by: nothing of the document is kept but counts by address.
 * Entities of the document's own are not expanded, and names are compared without their namespace.
 */

import { Parser } from "htmlparser2";
import {
  COUNT_MAX,
  countOf,
  type DmarcReport,
  domainNameOf,
  nameOf,
  SOURCES_MAX,
  type SourceCount,
} from "#domain/mailboxes/domain-reports/report.ts";
import { addressBytes } from "#domain/mailboxes/sender-domain/ip.ts";
import { type UnixMs, unixMs } from "#domain/time.ts";
import { ownTurn } from "#platform/turns.ts";

/** Records that are read, and characters parsed in one turn. */
const RECORDS_MAX = 100_000;
const SLICE_CHARS = 16_384;
const DEPTH_MAX = 32;
const VALUE_CHARS_MAX = 1_024;
const SECONDS_MAX = 8_640_000_000;

/** Null where it isn't one, or lacks what makes it one. */
export async function readDmarcReport(text: string): Promise<DmarcReport | null> {
  const reading = new Reading();
  const parser = new Parser(
    {
      onopentagname: (name) => reading.open(name),
      ontext: (part) => reading.text(part),
      onclosetag: () => reading.close(),
    },
    { xmlMode: true },
  );
  for (let at = 0; at < text.length && !reading.isFull; at += SLICE_CHARS) {
    await ownTurn();
    parser.write(text.slice(at, at + SLICE_CHARS));
  }
  parser.end();
  return reading.result();
}

class Reading {
  private readonly path: string[] = [];
  private value = "";
  private readonly facts = new Map<string, string>();
  /** Of the record that is being read. */
  private record = new Map<string, string>();
  private records = 0;
  private isTooDeep = false;
  private readonly sources = new Map<string, SourceCount>();
  private others = 0;

  /** There's no point in reading on: no report has so many records, or nests so deeply. */
  get isFull(): boolean {
    return this.records >= RECORDS_MAX || this.isTooDeep;
  }

  open(name: string): void {
    this.value = "";
    this.isTooDeep ||= this.path.length >= DEPTH_MAX;
    if (this.isTooDeep) {
      return;
    }
    this.path.push(name.slice(name.indexOf(":") + 1).toLowerCase());
    if (this.path.at(-1) === "record") {
      this.record = new Map();
    }
  }

  text(part: string): void {
    this.value += part.slice(0, Math.max(0, VALUE_CHARS_MAX - this.value.length));
  }

  close(): void {
    const name = this.path.pop();
    const value = this.value.trim();
    this.value = "";
    if (name === "record") {
      this.take();
    } else if (name !== undefined && value !== "") {
      const facts = this.path.includes("record") ? this.record : this.facts;
      const key = `${this.path.at(-1) ?? ""}/${name}`;
      // The first counts: what comes again may have been added by somebody else.
      if (WANTED.has(key) && !facts.has(key)) {
        facts.set(key, value);
      }
    }
  }

  private take(): void {
    const { record } = this;
    this.records += 1;
    const ip = (record.get("row/source_ip") ?? "").toLowerCase();
    const messages = countOf(record.get("row/count"));
    if (this.isFull || addressBytes(ip) === null || messages === 0) {
      return;
    }
    const headerFrom = domainNameOf(record.get("identifiers/header_from"));
    const is = (key: string, word: string) =>
      record.get(`policy_evaluated/${key}`)?.toLowerCase() === word ? messages : 0;
    const [spf, dkim] = [is("spf", "pass"), is("dkim", "pass")];
    const key = `${ip} ${headerFrom}`;
    const known = this.sources.get(key);
    if (known === undefined && this.sources.size >= SOURCES_MAX) {
      this.others = Math.min(COUNT_MAX, this.others + messages);
      return;
    }
    const before = known ?? { ...NONE, ip, headerFrom };
    this.sources.set(key, {
      ...before,
      messages: before.messages + messages,
      passed: before.passed + Math.max(spf, dkim),
      spf: before.spf + spf,
      dkim: before.dkim + dkim,
      quarantined: before.quarantined + is("disposition", "quarantine"),
      rejected: before.rejected + is("disposition", "reject"),
    });
  }

  result(): DmarcReport | null {
    const { facts, isTooDeep } = this;
    const beginAt = secondsOf(facts.get("date_range/begin"));
    const endAt = secondsOf(facts.get("date_range/end"));
    const domain = domainNameOf(facts.get("policy_published/domain"));
    const address = facts.get("report_metadata/email") ?? "";
    const reporter = nameOf(facts.get("report_metadata/org_name") ?? address.replace(/^.*@/s, ""));
    if (
      beginAt === null ||
      endAt === null ||
      endAt < beginAt ||
      domain === "" ||
      reporter === "" ||
      isTooDeep
    ) {
      return null;
    }
    const reportId = nameOf(facts.get("report_metadata/report_id")) || `${beginAt}-${endAt}`;
    const sources = [...this.sources.values()];
    return {
      kind: "dmarc",
      reporter,
      reportId,
      beginAt,
      endAt,
      domain,
      sources,
      others: this.others,
    };
  }
}

const NONE = { messages: 0, passed: 0, spf: 0, dkim: 0, quarantined: 0, rejected: 0 };

/** What is read, as its parent and its own name. */
const WANTED = new Set([
  ...["org_name", "email", "report_id"].map((name) => `report_metadata/${name}`),
  ...["date_range/begin", "date_range/end", "policy_published/domain"],
  ...["row/source_ip", "row/count", "identifiers/header_from"],
  ...["disposition", "dkim", "spf"].map((name) => `policy_evaluated/${name}`),
]);

function secondsOf(text: string | undefined): UnixMs | null {
  const seconds = Math.trunc(Number(text ?? Number.NaN));
  return seconds > 0 && seconds < SECONDS_MAX ? unixMs(seconds * 1_000) : null;
}
