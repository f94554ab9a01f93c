/** What a start would do, before it does: who gets it, what it says to three of them, and when. */

import type { CampaignDetail } from "#client.ts";
import { api } from "../../../lib/api.ts";
import { useData } from "../../../lib/data.ts";
import { date, dateTime, plural } from "../../../lib/format.ts";
import { can } from "../../../lib/session.ts";
import { Card, Loaded } from "../../../parts/page.tsx";
import { accountsFor, readAccounts, readForecast, readStats, readSteps } from "../data.ts";

const FORECAST_DAYS = 31;
const PREVIEWS = 3;

async function loadReview(campaign: CampaignDetail) {
  const { id } = campaign;
  const [stats, accounts, forecast, steps] = await Promise.all([
    readStats(id),
    readAccounts(),
    readForecast(id, FORECAST_DAYS, true),
    readSteps(id),
  ]);
  const first = steps.find(({ type }) => type === "email");
  const lastDay = forecast.days.findLast((day) => day.new_leads + day.follow_ups > 0);
  return {
    leads: stats.open - stats.held,
    mailboxes: accountsFor(campaign, accounts).filter(
      ({ status, ready }) => status === "active" && ready,
    ).length,
    emails: forecast.total,
    firstAt: forecast.next_send_at,
    lastOn: lastDay?.date,
    isLater: forecast.days.at(-1) === lastDay,
    previews: first === undefined ? [] : await loadPreviews(id, first.id),
  };
}

/** The first email as the first leads get it. */
async function loadPreviews(id: string, stepId: string) {
  if (!can("leads:read")) {
    return [];
  }
  const { data } = await api().listCampaignLeads({ id, limit: PREVIEWS });
  return await Promise.all(
    data.map(async ({ lead_id, email }) => {
      const { subject, text } = await api().previewCampaign({
        id,
        body: { step_id: stepId, lead_id },
      });
      return { email, subject, text };
    }),
  );
}

function lastWords(lastOn: string | undefined, isLater: boolean): string {
  if (lastOn === undefined) {
    return "None";
  }
  return isLater ? `After ${FORECAST_DAYS} days` : date(`${lastOn}T12:00:00Z`);
}

export function useReview(campaign: CampaignDetail) {
  return useData(() => loadReview(campaign), ["campaign", "account", "lead", "step"]);
}

export function Review({ of: review }: { of: ReturnType<typeof useReview> }) {
  return (
    <Card title="What a start would send">
      <Loaded data={review}>
        {({ leads, mailboxes, emails, firstAt, lastOn, isLater, previews }) => (
          <div class="stack">
            <dl class="big-facts">
              <div>
                <dt>Who</dt>
                <dd>{plural(leads, "lead")}</dd>
                <dd class="small quiet">from {plural(mailboxes, "mailbox", "mailboxes")}</dd>
              </div>
              <div>
                <dt>First email</dt>
                <dd>{firstAt === null ? "None" : dateTime(firstAt)}</dd>
                <dd class="small quiet">if you start now</dd>
              </div>
              <div>
                <dt>Last email</dt>
                <dd>{lastWords(lastOn, isLater)}</dd>
                <dd class="small quiet">{plural(emails, "email")} if no one replies</dd>
              </div>
            </dl>
            {previews.length > 0 && (
              <ul class="previews" aria-label="The first email, as three leads get it">
                {previews.map(({ email, subject, text }) => (
                  <li key={email}>
                    <p class="small quiet">
                      To <bdi>{email}</bdi>
                    </p>
                    <p>
                      <strong>
                        <bdi>{subject ?? "Can’t be written: a value is missing"}</bdi>
                      </strong>
                    </p>
                    <p class="small preview-words" dir="auto">
                      {text}
                    </p>
                  </li>
                ))}
              </ul>
            )}
          </div>
        )}
      </Loaded>
    </Card>
  );
}
