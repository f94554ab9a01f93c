/** A campaign at a glance: its figures, who gets how far, and what goes out in the next days. */

import type {
  Account,
  CampaignDetail,
  CampaignForecast,
  CampaignStats,
  CampaignStep,
} from "#client.ts";
import { WEEKDAYS } from "#domain/campaigns/window.ts";
import {
  GUARD_BOUNCE_RATE,
  GUARD_COMPLAINT_RATE,
  GUARD_SENDS_MIN,
} from "#domain/mailboxes/health.ts";
import { Capacity, type CapacityRow } from "../../charts/capacity.tsx";
import { Funnel, type Stage } from "../../charts/funnel.tsx";
import { Stack } from "../../charts/stack.tsx";
import { useData } from "../../lib/data.ts";
import { count, percent, plural, rate } from "../../lib/format.ts";
import { to } from "../../lib/route.ts";
import { Card, Empty, Loaded } from "../../parts/page.tsx";
import { Tags } from "../../parts/tags.tsx";
import { accountsFor, readAccounts, readForecast, readStats, readSteps } from "./data.ts";
import { CampaignFrame } from "./frame.tsx";
import { Notes } from "./notes.tsx";
import { OnHold } from "./on-hold.tsx";
import { Progress } from "./progress.tsx";

const FORECAST_DAYS = 14;

export function SummaryPage({ id }: { id: string }) {
  return (
    <CampaignFrame id={id}>
      {(campaign, { reload }) => (
        <div class="grid">
          <OnHold campaign={campaign} onDone={reload} />
          <Figures id={id} />
          {campaign.status !== "completed" && campaign.status !== "archived" && (
            <Future campaign={campaign} />
          )}
          <Notes campaign={campaign} onSaved={reload} />
          <Card span={12} title="Tags">
            <Tags kind="campaigns" id={campaign.id} />
          </Card>
        </div>
      )}
    </CampaignFrame>
  );
}

function Figures({ id }: { id: string }) {
  const data = useData(async () => {
    const [stats, steps] = await Promise.all([readStats(id), readSteps(id)]);
    return { stats, steps };
  }, ["email", "reply", "lead", "campaign"]);
  return (
    <div class="span-12 stack">
      <Loaded data={data}>
        {({ stats, steps }) => (
          <div class="stack">
            <Heads stats={stats} />
            <div class="grid">
              <Card span={8}>
                <FunnelOf stats={stats} steps={steps} />
              </Card>
              <Card span={4} title="Automatic pause">
                <Guards />
              </Card>
              <Card span={12} title="Lead progress" note={plural(stats.enrolled, "lead")}>
                <Progress stats={stats} isLarge />
              </Card>
            </div>
          </div>
        )}
      </Loaded>
    </div>
  );
}

function Heads({ stats }: { stats: CampaignStats }) {
  const heads = [
    {
      name: "Emails sent",
      value: count(stats.sent),
      note: `to ${plural(stats.contacted, "lead")}`,
    },
    {
      name: "Reply rate",
      value: percent(stats.reply_rate),
      note: `${count(stats.replied)} of ${plural(stats.contacted, "lead")} emailed`,
    },
    {
      name: "Bounce rate",
      value: percent(stats.bounce_rate),
      note: `${plural(stats.bounced, "email")} bounced`,
    },
    {
      name: "Unsubscribed",
      value: rate(stats.unsubscribed, stats.contacted),
      note: plural(stats.unsubscribed, "lead"),
    },
  ];
  return (
    <div class="card figure-strip">
      {heads.map(({ name, value, note }) => (
        <section key={name} class="figure-card">
          <h2>{name}</h2>
          <p class="figure">{value}</p>
          <p class="quiet small">{note}</p>
        </section>
      ))}
    </div>
  );
}

function FunnelOf({ stats, steps }: { stats: CampaignStats; steps: readonly CampaignStep[] }) {
  const mails = stats.steps.filter(
    ({ step_id }) => steps.find(({ id }) => id === step_id)?.type === "email",
  );
  const stages: Stage[] = [
    { name: "Leads", value: stats.enrolled, answered: null, bounced: null, left: null },
    ...mails.map(({ position, sent, replied, bounced, unsubscribed }) => ({
      name: `Step ${position}`,
      value: sent,
      answered: replied,
      bounced,
      left: unsubscribed,
    })),
  ];
  const best = mails.reduce<(typeof mails)[number] | undefined>(
    (top, step) => (step.replied > (top?.replied ?? 0) ? step : top),
    undefined,
  );
  const title =
    best === undefined
      ? "Leads by step"
      : `Step ${best.position} got ${count(best.replied)} of ${plural(stats.replied, "reply", "replies")}`;
  return (
    <Funnel
      title={title}
      note="Each lead counts once per step, however many times an email was tried. Replies count toward the step they reply to."
      stages={stages}
    />
  );
}

function Guards() {
  return (
    <div class="stack small">
      <p>
        The campaign pauses automatically when {percent(GUARD_BOUNCE_RATE)} of the emails sent since
        it last started bounce, or {percent(GUARD_COMPLAINT_RATE)} are reported as spam.
      </p>
      <p class="quiet">
        Both limits apply from {plural(GUARD_SENDS_MIN, "email")} on, but 5 bounces of the first 25
        pause it, too. Resuming the campaign starts the count over.
      </p>
    </div>
  );
}

function Future({ campaign }: { campaign: CampaignDetail }) {
  const { id, status } = campaign;
  const isIdle = status === "draft" || status === "paused";
  const data = useData(async () => {
    const [forecast, accounts] = await Promise.all([
      readForecast(id, FORECAST_DAYS, isIdle),
      readAccounts(),
    ]);
    return { forecast, accounts };
  }, ["campaign", "email", "account"]);
  return (
    <div class="span-12 stack">
      <Loaded data={data}>
        {({ forecast, accounts }) =>
          forecast.total === 0 && accountsFor(campaign, accounts).length === 0 ? (
            <Card>
              <Empty
                icon="accounts"
                title="No mailbox sends for this campaign yet"
                action={
                  <a class="button" href={to(`campaigns/${id}/schedule`)}>
                    Select mailboxes
                  </a>
                }
              >
                Once a mailbox can send, the emails planned for the next days show up here.
              </Empty>
            </Card>
          ) : (
            <div class="stack">
              <Card>
                <ForecastChart forecast={forecast} isIdle={isIdle} />
              </Card>
              <Card>
                <CapacityOf campaign={campaign} forecast={forecast} accounts={accounts} />
              </Card>
            </div>
          )
        }
      </Loaded>
    </div>
  );
}

const monthDay = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});
const weekday = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

export function ForecastChart({
  forecast,
  isIdle,
}: {
  forecast: CampaignForecast;
  isIdle: boolean;
}) {
  const days = forecast.days.length - 1;
  // A picture of nothing says less than the sentence.
  if (forecast.total === 0) {
    return <h2>No emails planned for the next {days} days</h2>;
  }
  const title = `${plural(forecast.total, "email")} in the next ${days} days`;
  const premise = "assuming no replies or failures";
  return (
    <Stack
      title={isIdle ? `${title} if started now` : title}
      note={`Emails per day, ${premise}. Days in the campaign’s time zone.`}
      labels={forecast.days.map(({ date }) => monthDay.format(Date.parse(date)))}
      series={[
        { name: "Follow-ups", colour: 2, values: forecast.days.map((day) => day.follow_ups) },
        { name: "New leads", colour: 1, values: forecast.days.map((day) => day.new_leads) },
      ]}
    />
  );
}

function CapacityOf(props: {
  campaign: CampaignDetail;
  forecast: CampaignForecast;
  accounts: readonly Account[];
}) {
  const { campaign, forecast, accounts } = props;
  const days = forecast.days.map(({ date }) => ({
    short: monthDay.format(Date.parse(date)),
    full: weekday.format(Date.parse(date)),
  }));
  const planned = new Map(forecast.accounts.map((row) => [row.account_id, row.sends]));
  const writing = accounts.filter(
    ({ id }) => planned.has(id) || accountsFor(campaign, accounts).some((one) => one.id === id),
  );
  const rows = writing.map((account): CapacityRow => {
    const barred = accountBar(account);
    return {
      id: account.id,
      name: account.email,
      cap: account.daily_limit,
      cells: forecast.days.map(({ date }, at) => ({
        sends: planned.get(account.id)?.[at] ?? 0,
        held: barred ?? dayBar(campaign, date),
      })),
    };
  });
  const held = writing.filter((account) => accountBar(account) !== null).length;
  const title =
    held === 0
      ? "Planned emails by mailbox"
      : `${count(held)} of ${plural(writing.length, "mailbox", "mailboxes")} can’t send`;
  return (
    <Capacity
      title={title}
      note="This campaign’s emails by mailbox and day. Darker means closer to the mailbox’s daily limit; hatched means nothing is sent."
      days={days}
      rows={rows}
    />
  );
}

function accountBar({ status, ready, last_error: error }: Account): string | null {
  if (status !== "active") {
    return `not sending: the mailbox ${status === "error" ? "has an error" : `is ${status}`}${error === null ? "" : ` (${error})`}`;
  }
  return ready ? null : "not sending: the mailbox hasn’t been tested yet";
}

function dayBar({ send_window: window }: CampaignDetail, date: string): string | null {
  const day = WEEKDAYS[(new Date(date).getUTCDay() + 6) % 7];
  return day !== undefined && !window.days.includes(day)
    ? "not sending: the campaign doesn’t send on this weekday"
    : null;
}
