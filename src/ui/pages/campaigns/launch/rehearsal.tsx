/** The draft played for a month before it is started, by people who reply, bounce and opt out by chance. */

import { useSignal } from "@preact/signals";
import type { CampaignRehearsal } from "#client.ts";
import { Stack } from "../../../charts/stack.tsx";
import { api } from "../../../lib/api.ts";
import { count, date, dateTime, plural, rate } from "../../../lib/format.ts";
import { sum } from "../../../lib/sum.ts";
import { Button } from "../../../parts/button.tsx";
import { FormFault, useSubmission } from "../../../parts/form/form.tsx";
import { Card, Notice } from "../../../parts/page.tsx";
import { sentenceOf } from "../../overview/events.ts";
import { PAUSE_REASONS } from "../words.ts";

const DAYS = 30;

export function Rehearse({ id, isReady }: { id: string; isReady: boolean }) {
  const played = useSignal<CampaignRehearsal | undefined>(undefined);
  const submission = useSubmission();
  const play = (seed: number) =>
    submission.submit(async () => {
      played.value = await api().getCampaignRehearsal({ id, days: DAYS, seed });
    });
  const result = played.value;
  return (
    <Card
      title="Rehearsal"
      note={
        <Button
          look="compact"
          disabled={!isReady || submission.isBusy}
          onClick={() => play(result === undefined ? 1 : result.seed + 1)}
        >
          {buttonWords(submission.isBusy, result !== undefined)}
        </Button>
      }
    >
      {result === undefined ? (
        <p class="quiet small">
          Plays this campaign for {DAYS} days in seconds: your steps, leads, mailboxes, and limits,
          with people who reply, bounce, and unsubscribe by chance. Nothing is sent and nothing is
          kept.
        </p>
      ) : (
        <Result of={result} />
      )}
      <FormFault of={submission} fields={[]} />
    </Card>
  );
}

function buttonWords(isBusy: boolean, isAgain: boolean): string {
  if (isBusy) {
    return `Playing ${DAYS} days…`;
  }
  return isAgain ? "Play with other people" : `Rehearse ${DAYS} days`;
}

function Result({ of }: { of: CampaignRehearsal }) {
  const { totals, days, first_sent_at: first, last_sent_at: last, broken } = of;
  const waiting = sum(
    of.lead_statuses
      .filter(({ status }) => ["pending", "active", "paused"].includes(status))
      .map(({ leads }) => leads),
  );
  const busiest = Math.max(0, ...days.map(({ sent }) => sent));
  const facts = [
    ["Emails", `${count(totals.sent)}, at most ${count(busiest)} a day`],
    ["First and last", first && last ? `${dateTime(first)} to ${dateTime(last)}` : "None"],
    ["Replies", `${count(totals.replied)} (${rate(totals.replied, of.played)} of leads)`],
    ["Bounces", `${count(totals.bounced)} (${rate(totals.bounced, totals.sent)} of emails)`],
    ["Unsubscribes", count(totals.unsubscribed)],
    ["Still to email", plural(waiting, "lead")],
    [
      "Mailboxes",
      of.mailboxes
        .map(({ email, sent, health }) => `${email}: ${count(sent)}, health ${health}`)
        .join("; "),
    ],
  ];
  return (
    <div class="stack" role="status">
      <Notice tone={of.status === "paused" || bouncesMuch(of) ? "warn" : "good"}>
        {headline(of)}
      </Notice>
      {broken.length > 0 && <Notice tone="bad">Please report this bug: {broken.join("; ")}</Notice>}
      <dl class="lead-facts">
        {facts.flatMap(([name, value]) => [
          <dt key={name}>{name}</dt>,
          <dd key={`${name} value`}>{value}</dd>,
        ])}
      </dl>
      {totals.sent > 0 && (
        <Stack
          title={`${plural(totals.sent, "email")} in ${plural(days.length, "day")}`}
          note="Played, in the campaign’s time zone"
          labels={days.map(({ date: on }) => date(`${on}T12:00:00Z`))}
          series={[
            { name: "Sent", colour: 1, values: days.map(({ sent }) => sent) },
            { name: "Replies", colour: 2, values: days.map(({ replied }) => replied) },
          ]}
        />
      )}
      {of.events.length > 0 && (
        <ul class="small">
          {of.events.map((event) => {
            const { text, who } = sentenceOf({ ...event, id: "" });
            return (
              <li key={`${event.type}-${event.created_at}-${who}`}>
                {dateTime(event.created_at)}: {text} <bdi>{who}</bdi>
                {healthIn(event)}
              </li>
            );
          })}
        </ul>
      )}
      <p class="small quiet">
        {of.played < of.leads && `The first ${count(of.played)} of ${plural(of.leads, "lead")}. `}
        Chance decides who replies, at the sandbox’s usual rates, so expect other numbers. Other
        campaigns of these mailboxes weren’t played. {count(of.checked)} sending rules were checked
        afterwards, such as no duplicate emails and no limit exceeded:{" "}
        {broken.length === 0 ? "all were kept" : "not all were kept"}.
      </p>
    </div>
  );
}

/** Above this the providers of the recipients begin to judge. */
const BOUNCED_MAX = 0.05;

function bouncesMuch({ totals }: CampaignRehearsal): boolean {
  return totals.bounced > BOUNCED_MAX * totals.sent;
}

/** What became of a mailbox's health, and what that costs it. */
function healthIn({ type, data }: CampaignRehearsal["events"][number]): string {
  if (type !== "account.health_changed") {
    return "";
  }
  const limits = data["halved"] === true ? ", at half its limits" : "";
  return `, from ${String(data["previous"])} to ${String(data["current"])}${limits}`;
}

function headline(of: CampaignRehearsal): string {
  const { status, status_reason, totals, played, events } = of;
  const paused = events.find(({ type }) => type === "campaign.paused");
  if (status === "paused" && paused !== undefined) {
    const sent = plural(totals.sent, "email");
    return `A guard would pause it on ${date(paused.created_at)}, after ${sent}. ${PAUSE_REASONS[status_reason ?? "manual"]}.`;
  }
  const end =
    status === "completed"
      ? `All ${plural(played, "lead")} are through, and no guard stops it`
      : "No guard stops it";
  return bouncesMuch(of)
    ? `${end}, but ${rate(totals.bounced, totals.sent)} of its emails bounce. Check where the addresses come from.`
    : `${end}.`;
}
