/**
 * The report of an experiment for people without an account: a page that needs no script and prints well, and
 * the same as JSON. Whoever has the link reads it; every other address is answered alike.
 */

import { type AnyElysia, Elysia } from "elysia";
import type { Rate, Report } from "#domain/experiments/experiment-report.ts";
import { asChange } from "#domain/experiments/experiment-words.ts";
import { notFound } from "#domain/problem.ts";
import { toIso, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { createRateLimit } from "#platform/http/rate-limit.ts";
import { experimentReport } from "#usecases/experiments/experiment-report.ts";
import { findShared, REPORT_PATH } from "#usecases/experiments/experiment-share.ts";
import { type Html, html, PAGE_HEADERS, pageResponse } from "./page.ts";
import { type Connection, type Door, visitorNetwork } from "./visitor.ts";

/** For the server's list of what needs no key. */
export const REPORT_PATHS: readonly string[] = [`${REPORT_PATH}*`];

/** Reports that one network may read: each is computed anew. */
const READS_PER_MINUTE = 60;

export interface ReportEnvironments {
  readonly live: Environment;
  readonly test: Environment;
}

interface Read {
  report: Report;
  expiresAt: UnixMs;
}

export function reportRoutes(environments: ReportEnvironments, door: Door): AnyElysia {
  const limit = createRateLimit(READS_PER_MINUTE);
  const read = (token: string, request: Request, server: Connection | null): Read | null => {
    limit.take(visitorNetwork(door, request, server), environments.live.wall.now());
    const found = findShared(environments, token);
    return found === null
      ? null
      : {
          report: experimentReport(found.env, found.experiment, found.share),
          expiresAt: found.share.endsAt,
        };
  };
  return new Elysia({ name: "report", normalize: false })
    .get(`${REPORT_PATH}:token`, ({ params, request, server }) => {
      const found = read(params.token, request, server);
      return found === null
        ? pageResponse(
            404,
            "This link doesn’t work",
            html`<p>It may be incomplete, or expired or revoked. Ask whoever sent it for a new one.</p>`,
          )
        : pageResponse(200, found.report.name, pageOf(found, params.token));
    })
    .get(`${REPORT_PATH}:token/report.json`, ({ params, request, server }) => {
      const found = read(params.token, request, server);
      if (found === null) {
        throw notFound("report");
      }
      return Response.json(found.report, {
        headers: { ...PAGE_HEADERS, "Content-Type": "application/json; charset=utf-8" },
      });
    });
}

const METRICS: Readonly<
  Record<
    Report["primary_metric"],
    { rate: "reply_rate" | "interested_rate" | "bounce_rate"; name: string; events: string }
  >
> = {
  reply_rate: { rate: "reply_rate", name: "Reply rate", events: "replies" },
  interested_rate: {
    rate: "interested_rate",
    name: "Interested rate",
    events: "interested replies",
  },
  bounce_rate: { rate: "bounce_rate", name: "Bounce rate", events: "bounces" },
};

const STATES: Readonly<Record<Report["status"], string>> = {
  running: "Running",
  paused: "Paused",
  evaluating: "Collecting final replies",
  completed: "Completed",
  cancelled: "Canceled",
};

function pageOf({ report, expiresAt }: Read, token: string): Html {
  const { name } = METRICS[report.primary_metric];
  const sent = report.variants.reduce((sum, { emails_sent }) => sum + emails_sent, 0);
  const day = (iso: string) => html`<time datetime="${iso}">${iso.slice(0, 10)}</time>`;
  return html`<article>
<p class="quiet">${STATES[report.status]} · ${name} of step ${String(report.step_position)} · ${count(sent)} leads emailed · as of ${day(report.closed_at ?? report.read_at)}</p>
<p class="verdict">${report.recommendation}</p>
${figureOf(report)}
${each(report.warnings, (warning) => html`<p class="quiet">${warning}</p>`)}
<h2>Variants</h2>
${variantsOf(report)}
<h2>Comparison</h2>
${pairsOf(report)}
${textsOf(report)}
<h2>How sure is this?</h2>
<ul>${each(report.notes, (note) => html`<li>${note}</li>`)}</ul>
<h2>Check these numbers</h2>
<p><a href="${REPORT_PATH}${token}/report.json" download="report.json">report.json</a> has the inputs of each figure. <code>outrider stats replay report.json</code> computes them again; the method is in <code>docs/experiments.md</code>.</p>
<p class="quiet">This link works until ${day(toIso(expiresAt))}.</p>
</article>`;
}

function figureOf({ key_figure: figure }: Report): Html {
  return figure === null
    ? html``
    : html`<p><strong class="key-figure">${figure.value}</strong> ${figure.range}<br>${figure.sentence}</p>`;
}

/** The widest band ends at the right edge, so that all bars share one scale. */
function variantsOf({ variants, primary_metric }: Report): Html {
  const { rate, name, events } = METRICS[primary_metric];
  const most = Math.max(...variants.map((variant) => variant[rate].high));
  return html`<div class="wide"><table>
<thead><tr><th scope="col">Variant</th><th scope="col" class="figure">Emailed</th><th scope="col" class="figure">${capital(events)}</th><th scope="col">${name}, with its 95% interval</th><th scope="col" class="figure">Best with a probability of</th></tr></thead>
<tbody>${each(
    variants,
    (variant) =>
      html`<tr><th scope="row">${variant.name}</th><td class="figure" data-label="Emailed">${count(variant.emails_sent)}</td><td class="figure" data-label="${capital(events)}">${count(eventsOf(variant, rate))}</td><td data-label="${name}">${bandOf(variant[rate], most)}</td><td class="figure" data-label="Best with a probability of">${chanceOf(variant.win_probability)}</td></tr>`,
  )}</tbody>
</table></div>`;
}

type Variant = Report["variants"][number];

function eventsOf(variant: Variant, rate: "reply_rate" | "interested_rate" | "bounce_rate") {
  return rate === "reply_rate"
    ? variant.replies
    : rate === "interested_rate"
      ? variant.interested
      : variant.bounced;
}

function bandOf({ value, low, high }: Rate, most: number): Html {
  const x = (share: number) => (most === 0 ? 0 : (share / most) * 100).toFixed(2);
  const wide = ((high - low) / (most || 1)) * 100;
  return html`<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class="band" x="${x(low)}" y="3" width="${wide.toFixed(2)}" height="4"/><rect class="point" x="${x(value)}" y="0" width="1" height="10"/></svg> ${percent(value)} <span class="quiet">${percent(low)} to ${percent(high)}</span>`;
}

function pairsOf({ pairs, variants }: Report): Html {
  if (pairs.every(({ lift_ratio }) => lift_ratio.value === null)) {
    return html`<p>There’s nothing to compare yet.</p>`;
  }
  return html`<div class="wide"><table>
<thead><tr><th scope="col">Compared</th><th scope="col" class="figure">Lift</th><th scope="col" class="figure">95% interval</th><th scope="col">Difference</th></tr></thead>
<tbody>${each(pairs, ({ a, b, lift_ratio: { value, low, high }, significant }) => {
    const range = `${asChange(low ?? 0)} to ${high === null ? "∞" : asChange(high)}`;
    return html`<tr><th scope="row">${b ?? ""}, compared with ${a ?? ""}</th><td class="figure" data-label="Lift">${value === null ? "–" : asChange(value)}</td><td class="figure" data-label="95% interval">${range}</td><td data-label="Difference">${significant ? "Shown" : "Not shown"}</td></tr>`;
  })}</tbody>
</table></div>
<p class="quiet">What’s shown ${variants.length > 2 ? "allows for the number of comparisons and " : ""}stays valid however often the experiment is read.</p>`;
}

function textsOf({ variants }: Report): Html {
  return variants.every(({ contents }) => contents === null)
    ? html``
    : html`<h2>Emails</h2>
${each(
  variants,
  ({ name, contents }) => html`<h3>${name}</h3>
${
  contents === null || contents.length === 0
    ? html`<p class="quiet">Not sent yet.</p>`
    : each(
        contents,
        ({ subject, body }) => html`<pre><strong>${subject ?? "(in the same thread)"}</strong>

${body}</pre>`,
      )
}`,
)}`;
}

function each<Item>(items: readonly Item[], show: (item: Item) => Html): Html {
  return { markup: items.map((item) => show(item).markup).join("\n") };
}

const count = (value: number) => value.toLocaleString("en-US");
const percent = (share: number) => `${(share * 100).toFixed(1)}%`;
/** Never a certainty that nobody has. */
const chanceOf = (share: number) =>
  share > 0.999 ? "> 99.9%" : share < 0.001 ? "< 0.1%" : percent(share);
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
