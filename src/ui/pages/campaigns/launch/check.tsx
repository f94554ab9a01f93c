/** Whether a campaign can start: what stands in the way, what is worth knowing, what is well. */

import type { CampaignDetail, DomainDetail } from "#client.ts";
import { api } from "../../../lib/api.ts";
import { now } from "../../../lib/clock.ts";
import { exceptHolidays } from "../../../lib/countries.ts";
import { type Data, useData } from "../../../lib/data.ts";
import { count, plural } from "../../../lib/format.ts";
import { go, to } from "../../../lib/route.ts";
import { can } from "../../../lib/session.ts";
import { Button } from "../../../parts/button.tsx";
import { FormFault, useSubmission } from "../../../parts/form/form.tsx";
import { blockWords } from "../../../parts/form/week-grid.tsx";
import { Icon } from "../../../parts/icons.tsx";
import { Card, Loaded } from "../../../parts/page.tsx";
import { toast, toastError } from "../../../parts/toasts.tsx";
import {
  accountsFor,
  ensureSaved,
  readAccounts,
  readForecast,
  readStats,
  readSteps,
  unsavedIn,
} from "../data.ts";
import { CampaignFrame } from "../frame.tsx";
import { paceOf } from "../pace.tsx";
import { sentence } from "../words.ts";
import { Rehearse } from "./rehearsal.tsx";
import { Review, useReview } from "./review.tsx";

const FORECAST_DAYS = 31;

export function CheckPage({ id }: { id: string }) {
  return (
    <CampaignFrame id={id}>
      {(campaign, data) => <LaunchCheck campaign={campaign} data={data} />}
    </CampaignFrame>
  );
}

interface Line {
  tone: "good" | "warn" | "bad";
  text: string;
  /** Where it can be fixed. */
  page: "leads" | "sequence" | "schedule" | "settings" | "accounts" | `domains/${string}` | null;
}

const PAGE_OF: Readonly<Record<string, Line["page"]>> = {
  steps: "sequence",
  account_ids: "accounts",
  no_leads: "leads",
  content: "sequence",
  variant_on_hold: "sequence",
  accounts_not_ready: "accounts",
  no_postal_address: "settings",
};

async function loadCheck(campaign: CampaignDetail) {
  const { id } = campaign;
  const [check, steps, stats, accounts, forecast] = await Promise.all([
    api().getCampaignLaunchCheck({ id }),
    readSteps(id),
    readStats(id),
    readAccounts(),
    readForecast(id, FORECAST_DAYS, true),
  ]);
  const bad = check.problems.map(
    ({ field, message }): Line => ({
      tone: "bad",
      text: sentence(message),
      page: PAGE_OF[field.split(".")[0] ?? ""] ?? null,
    }),
  );
  const warn = check.warnings.map(
    ({ code, message }): Line => ({
      tone: "warn",
      text: sentence(message),
      page: PAGE_OF[code] ?? null,
    }),
  );
  // What this tab alone knows of would not go out.
  const unsaved = unsavedIn(id, steps).map(
    (text): Line => ({ tone: "bad", text, page: "sequence" }),
  );
  if (check.held_leads > 0) {
    const text = `${plural(check.held_leads, "lead")} of ${count(check.scanned)} checked would go on hold: an email uses a value they don’t have`;
    warn.push({ tone: "warn", text, page: "sequence" });
  }
  const { send_window: window } = campaign;
  const able = accountsFor(campaign, accounts).filter(
    ({ status, ready }) => status === "active" && ready,
  );
  const hours = blockWords({
    days: window.days,
    startHour: window.start_hour,
    endHour: window.end_hour,
  });
  const except = exceptHolidays(window.skip_holidays);
  const { perDay, last } = paceOf(forecast);
  const days = last === undefined ? `more than ${FORECAST_DAYS} days` : plural(last, "day");
  const good: (Line | false)[] = [
    steps.length > 0 &&
      !check.problems.some(({ field }) => field.startsWith("steps")) && {
        tone: "good",
        text: `${plural(steps.length, "step")} ready`,
        page: "sequence",
      },
    stats.enrolled > 0 && {
      tone: "good",
      text: `${plural(stats.enrolled, "lead")}, ${count(stats.open - stats.held)} ready to email`,
      page: "leads",
    },
    able.length > 0 && {
      tone: "good",
      text: `${plural(able.length, "mailbox", "mailboxes")} ready to send`,
      page: "schedule",
    },
    {
      tone: "good",
      text: `Sends ${hours}, ${window.timezone.replaceAll("_", " ")} time${except}`,
      page: "schedule",
    },
    perDay > 0 && {
      tone: "good",
      text: `About ${plural(perDay, "email")} a day, ${days} to finish if no one replies`,
      page: "schedule",
    },
  ];
  // What has to be done comes first.
  const lines = [...bad, ...unsaved, ...warn, ...good.filter((line) => line !== false)];
  return { ready: check.ready && unsaved.length === 0, lines };
}

/** As long as the toast offers to take the start back. */
const UNDO_SECONDS = 10;

/** Pauses it, and says what had gone out by then: whoever is late has to know. */
async function takeBack({ id, name }: CampaignDetail): Promise<void> {
  const { in_flight = 0, status } = await api()
    .pauseCampaign({ id })
    .catch(() =>
      api()
        .getCampaign({ id })
        .then((campaign) => ({ ...campaign, in_flight: 0 })),
    );
  const { sent } = await api().getCampaignStats({ id });
  const gone = Math.max(sent, in_flight);
  const went = gone === 0 ? "Nothing was sent." : `${plural(gone, "email")} had already gone out.`;
  toast(`${name} is ${status}. ${went}`);
}

export function LaunchCheck({ campaign, data }: { campaign: CampaignDetail; data: Data<unknown> }) {
  const check = useData(() => loadCheck(campaign), ["campaign", "account", "lead"]);
  const domains = useData(() => loadDomains(campaign), ["account"]);
  const review = useReview(campaign);
  const patience = useData(() => new Promise((done) => setTimeout(done, DOMAINS_MS_MAX, true)), []);
  // What comes above the button later would move it from under the hand; the domains come below it.
  const isWhole = !review.isFirst && !(domains.isFirst && patience.isFirst);
  const form = useSubmission();
  const { id, status, name } = campaign;
  const start = () =>
    form.submit(async () => {
      await ensureSaved(id);
      await api().startCampaign({ id, body: { delay_seconds: UNDO_SECONDS } });
      toast(`${name} started. Nothing is sent for ${UNDO_SECONDS} seconds.`, {
        name: "Undo",
        run: () => void takeBack(campaign).catch(toastError),
      });
      data.reload();
      go(to(`campaigns/${id}`));
    });
  return (
    <Loaded data={check}>
      {({ ready, lines }) => {
        const known = Object.groupBy([...lines, ...(domains.value ?? [])], ({ tone }) => tone);
        const { bad = [], warn = [] } = known;
        return (
          <div class="stack">
            <Review of={review} />
            <Card title={headOf(ready, bad.length, warn.length)}>
              <Lines id={id} of={lines} />
              <FormFault of={form} fields={[]} />
              <div class="actions">
                {status === "draft" && can("campaigns:write") && (
                  <Button
                    look="primary"
                    disabled={!ready || !isWhole || form.isBusy}
                    onClick={start}
                  >
                    {form.isBusy ? "Starting…" : isWhole ? "Start campaign" : "Checking…"}
                  </Button>
                )}
                <Button
                  onClick={() => {
                    check.reload();
                    domains.reload();
                  }}
                >
                  Check again
                </Button>
              </div>
              {domains.value === undefined ? (
                <p class="quiet">
                  {domains.error === undefined
                    ? "Looking up the sending domains…"
                    : "Couldn’t look up the sending domains. Check again."}
                </p>
              ) : (
                <Lines id={id} of={domains.value} />
              )}
            </Card>
            {status === "draft" && <Rehearse id={id} isReady={ready} />}
          </div>
        );
      }}
    </Loaded>
  );
}

function Lines({ id, of }: { id: string; of: readonly Line[] }) {
  return (
    <ul class="check-list">
      {of.map((line) => (
        <CheckLine key={line.text} id={id} line={line} />
      ))}
    </ul>
  );
}

/** A start doesn't wait longer for DNS, which may not answer for a quarter of a minute. */
const DOMAINS_MS_MAX = 3_000;
/** Domains whose records are looked up: a check must not take long. */
const DOMAINS_MAX = 5;
/** A domain is looked at once a day. */
const WATCHED_MS_MAX = 26 * 3_600_000;

/** What receivers find about the domains that would send; comes when DNS has responded. */
async function loadDomains(campaign: CampaignDetail): Promise<Line[]> {
  const able = accountsFor(campaign, await readAccounts());
  const byDomain = Map.groupBy(able, ({ email }) => email.slice(email.lastIndexOf("@") + 1));
  const first = [...byDomain.values()].flatMap(([one]) => one ?? []).slice(0, DOMAINS_MAX);
  const lines = first.map(async (account): Promise<Line[]> => {
    const domain = account.email.slice(account.email.lastIndexOf("@") + 1);
    const watched = await api().getDomain({ domain });
    const age = now.value - Date.parse(watched.checked_at ?? "");
    // What the last look found wrong may be fixed by now.
    const faults =
      age < WATCHED_MS_MAX && faultsIn(watched).length === 0
        ? []
        : faultsIn(await api().getAccountDns({ id: account.id }));
    const page = `domains/${domain}` as const;
    return faults.length === 0
      ? [{ tone: "good", text: `${domain} passes SPF, DKIM, and DMARC`, page }]
      : faults.map(({ message }) => ({ tone: "warn", text: `${domain}: ${message}`, page }));
  });
  return (await Promise.all(lines)).flat();
}

/** That there is no public URL is said once, not of each domain. */
function faultsIn({ checks }: Pick<DomainDetail, "checks">) {
  return checks.filter(
    ({ check, verdict }) =>
      verdict === "fault" || (verdict === "warning" && check !== "tracking_host"),
  );
}

function headOf(ready: boolean, bad: number, warn: number): string {
  if (!ready) {
    return `Can’t start yet: ${plural(bad, "problem")} to fix`;
  }
  return warn === 0
    ? "Ready to start"
    : `Ready to start, ${plural(warn, "item needs", "items need")} attention`;
}

const MARKS = {
  good: { icon: "check", word: "Passed" },
  warn: { icon: "warning", word: "Needs attention" },
  bad: { icon: "close", word: "Must fix" },
} as const;

function CheckLine({ id, line }: { id: string; line: Line }) {
  const { tone, text, page } = line;
  const { icon, word } = MARKS[tone];
  const isOwn = page !== "settings" && page !== "accounts" && page?.startsWith("domains/") !== true;
  return (
    <li data-tone={tone}>
      <Icon name={icon} />
      <span class="check-word small">{word}</span>
      <span class="check-text">{text}</span>
      {page !== null && tone !== "good" && can("campaigns:write") && (
        <a class="small" href={to(isOwn ? `campaigns/${id}/${page}` : page)}>
          Fix
        </a>
      )}
    </li>
  );
}
