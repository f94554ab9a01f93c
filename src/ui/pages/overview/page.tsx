/** Overview: is it going well, and what needs somebody? */

import { Lines } from "../../charts/lines.tsx";
import { Spark } from "../../charts/spark.tsx";
import { Week } from "../../charts/week.tsx";
import { type Data, useData } from "../../lib/data.ts";
import { count, date, percent, plural, rate } from "../../lib/format.ts";
import { filter, setFilters, to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Pick } from "../../parts/form/pick.tsx";
import { Card, Empty, Loaded, Page } from "../../parts/page.tsx";
import { Attention } from "./attention.tsx";
import {
  type Change,
  changeOf,
  loadPeriods,
  type Part,
  PERIODS,
  type Periods,
  type Placement,
  pointsOf,
  share,
  zone,
} from "./figures.ts";
import { FirstRun } from "./first-run.tsx";
import { busiest } from "./hours.ts";
import { loadNeeds, type Waiting } from "./needs.ts";
import { Ticker } from "./ticker.tsx";

const PERIOD_DEFAULT = 30;
const FAMILIES = ["email", "reply", "lead", "placement"];
const NEEDY_FAMILIES = [
  "account",
  "campaign",
  "experiment",
  "billing",
  "webhook",
  "task",
  "reply",
  "lead",
  "step",
];

function daysShown(): number {
  return PERIODS.find((days) => String(days) === filter("days")) ?? PERIOD_DEFAULT;
}

export function OverviewPage() {
  const periods = useData(() => loadPeriods(daysShown()), FAMILIES);
  // Asked for here, in one round with the figures, and shown below them.
  const needs = useData(loadNeeds, NEEDY_FAMILIES);
  return (
    <Page
      title="Overview"
      about={`All campaigns, last ${daysShown()} days`}
      actions={
        <>
          <PeriodChoice />
          {can("campaigns:write") && (
            <a class="button primary" href={to("campaigns/new")}>
              New campaign
            </a>
          )}
        </>
      }
    >
      <div class="stack">
        <Loaded data={periods} lines={8}>
          {(loaded) => <Cards periods={loaded} needs={needs} />}
        </Loaded>
        <Ticker />
      </div>
    </Page>
  );
}

function PeriodChoice() {
  return (
    <Pick
      label="Period"
      isBare
      value={String(daysShown())}
      options={PERIODS.map((days) => [String(days), `Last ${days} days`])}
      onPick={(value) => setFilters({ days: value === String(PERIOD_DEFAULT) ? "" : value })}
    />
  );
}

function Cards({ periods, needs }: { periods: Periods; needs: Data<Waiting> }) {
  const { now, before } = periods;
  const setup = needs.value?.setup;
  if (now.totals.sent + before.totals.sent + now.totals.replied === 0) {
    return (
      <div class="grid">
        {setup && can("campaigns:write") ? (
          <FirstRun setup={setup} />
        ) : (
          <Card span={8}>
            <Empty icon="campaigns" title="No emails sent yet">
              Once a campaign is running, you’ll see what was sent, who replied and when, and what
              needs your attention.
            </Empty>
          </Card>
        )}
        <Attention needs={needs} />
      </div>
    );
  }
  return (
    <div class="grid">
      <Figures periods={periods} />
      <Card span={8}>
        <ByDay periods={periods} />
      </Card>
      <Attention needs={needs} />
      <Card span={8}>
        <ReplyHours hours={now.reply_hours} />
      </Card>
      <Card span={4}>
        <Outcomes periods={periods} />
      </Card>
    </div>
  );
}

function Figures({ periods }: { periods: Periods }) {
  const { now, before, placement } = periods;
  const days = now.days;
  const bouncesOf = ({ totals }: Periods["now" | "before"]): Part => ({
    part: totals.bounced,
    of: totals.sent,
  });
  const inboxOf = ({ inbox, tests }: Placement): Part => ({ part: inbox, of: tests });
  const placed = share(placement.now.inbox, placement.now.tests);
  const replyRateBefore = share(before.totals.contacted_replied, before.totals.contacted);
  return (
    <div class="card span-12 figure-strip">
      <Figure
        name="Sent"
        figure={count(now.totals.sent)}
        note="campaign emails"
        change={changeOf(now.totals.sent, before.totals.sent)}
        values={days.map(({ sent }) => sent)}
      />
      <Figure
        name="Reply rate"
        about="Leads first emailed in this period that have replied. The latest ones may still reply."
        figure={percent(share(now.totals.contacted_replied, now.totals.contacted))}
        note={`${count(now.totals.contacted_replied)} of ${plural(now.totals.contacted, "lead")} emailed`}
        change={
          replyRateBefore === null
            ? null
            : // The leads before have had more time to reply: what they differ by says nothing yet.
              { text: `${percent(replyRateBefore)} before`, tone: "plain" }
        }
        values={days.map(({ replied }) => replied)}
      />
      <Figure
        name="Bounce rate"
        figure={rate(now.totals.bounced, now.totals.sent)}
        note={`${count(now.totals.bounced)} of ${plural(now.totals.sent, "email")}`}
        change={pointsOf(bouncesOf(now), bouncesOf(before), { isMoreBetter: false })}
        values={days.map(({ bounced }) => bounced)}
      />
      <Figure
        name="Inbox placement"
        figure={percent(placed)}
        note={
          placed === null
            ? "no placement tests in this period"
            : `${count(placement.now.inbox)} of ${plural(placement.now.tests, "test email")}`
        }
        change={pointsOf(inboxOf(placement.now), inboxOf(placement.before))}
        values={periods.placementByRun}
      />
    </div>
  );
}

function Figure(props: {
  name: string;
  about?: string;
  figure: string;
  note: string;
  change: Change | null;
  values: readonly number[];
}) {
  const { name, about, figure, note, change, values } = props;
  return (
    <section class="figure-card" title={about}>
      <h2>{name}</h2>
      <div class="figure-row">
        <div>
          <p class="figure">{figure}</p>
          <p class="change" data-tone={change?.tone} title="Compared with the previous period">
            {change?.text ?? <span class="faint">no earlier data</span>}
          </p>
        </div>
        {values.length > 1 && <Spark label={name} values={values} />}
      </div>
      <p class="small faint">{note}</p>
    </section>
  );
}

function ByDay({ periods }: { periods: Periods }) {
  const { now, before } = periods;
  const { sent, replied } = now.totals;
  const length = now.days.length;
  return (
    <Lines
      title={`${plural(sent, "email")} sent, ${plural(replied, "lead")} replied`}
      note={`Per day, ${zone.replaceAll("_", " ")} time`}
      labels={now.days.map((day) => date(`${day.date}T12:00:00Z`))}
      series={[
        { name: "Sent", colour: 1, values: now.days.map((day) => day.sent) },
        { name: "Replied", colour: 2, values: now.days.map((day) => day.replied) },
        {
          name: `Sent, previous ${length} days`,
          colour: 5,
          isDashed: true,
          values: before.days.map((day) => day.sent),
        },
      ]}
    />
  );
}

/** What became of the period's emails; people are counted without a share, for they get several. */
function Outcomes({ periods }: { periods: Periods }) {
  const { totals } = periods.now;
  const isTracked = totals.opened + totals.clicked > 0;
  const rows = [
    { name: "Replied", value: totals.replied, tone: "good", of: null },
    { name: "Interested", value: totals.positive, tone: "good", of: null },
    ...(isTracked
      ? [
          { name: "Opened", value: totals.opened, tone: "plain", of: totals.sent },
          { name: "Clicked", value: totals.clicked, tone: "plain", of: totals.sent },
        ]
      : []),
    { name: "Bounced", value: totals.bounced, tone: "bad", of: totals.sent },
    { name: "Unsubscribed", value: totals.unsubscribed, tone: "warn", of: null },
  ];
  const most = Math.max(1, ...rows.map(({ value }) => value));
  return (
    <>
      <header class="card-head">
        <h2>Outcomes</h2>
        <span class="quiet small">of {plural(totals.sent, "email")}</span>
      </header>
      <dl class="outcomes">
        {rows.map(({ name, value, tone, of }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="number">
              {count(value)}
              {of !== null && <span class="faint"> {rate(value, of)}</span>}
            </dd>
            <dd class="bar-line">
              <i data-tone={tone} style={{ width: `${(value / most) * 100}%` }} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function ReplyHours({ hours }: { hours: readonly (readonly number[])[] }) {
  return (
    <Week
      title={busiest(hours)}
      note={`First replies by weekday and hour, ${zone.replaceAll("_", " ")} time`}
      unit={(replies) => plural(replies, "reply", "replies")}
      hours={hours}
    />
  );
}
