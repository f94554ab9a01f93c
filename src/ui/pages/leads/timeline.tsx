/** What happened with a lead, newest first: both sides' emails, tasks, changes and by whom. */

import { useSignal } from "@preact/signals";
import { actorName, namesOfActors } from "../../lib/actors.ts";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { words } from "../../lib/format.ts";
import { evidenceWords, KINDS, SUPPRESSED_BY } from "../../lib/mail-words.ts";
import { to } from "../../lib/route.ts";
import { MadeFrom } from "../../parts/made-from.tsx";
import { MailBody } from "../../parts/mail.tsx";
import { Card, Loaded, type Tone } from "../../parts/page.tsx";
import { When } from "../../parts/when.tsx";

const FAMILIES = ["lead", "email", "reply", "suppression", "task", "complaint"];

function loadTimeline(id: string) {
  return api().listLeadTimeline({ id });
}

type Item = Awaited<ReturnType<typeof loadTimeline>>["data"][number];

export function Timeline(props: { id: string; campaigns: ReadonlyMap<string, string> }) {
  const { id, campaigns } = props;
  const timeline = useData(() => loadTimeline(id), FAMILIES);
  const names = useData(namesOfActors);
  const nameOf = (actor: string) => names.value?.get(actor) ?? actorName(actor);
  return (
    <Card title="Timeline">
      <Loaded data={timeline} lines={6}>
        {({ data }) => (
          <ol class="timeline">
            {data.map((item) => (
              <Moment
                key={`${item.kind}-${item.subject_id}-${item.at}`}
                item={item}
                nameOf={nameOf}
                campaign={item.campaign_id === null ? undefined : campaigns.get(item.campaign_id)}
              />
            ))}
          </ol>
        )}
      </Loaded>
    </Card>
  );
}

function Moment(props: {
  item: Item;
  nameOf: (actor: string) => string;
  campaign: string | undefined;
}) {
  const { item, nameOf, campaign } = props;
  const { tone, title, detail } = describe(item, nameOf);
  const isOpen = useSignal(false);
  const { message } = item;
  const hasMore = message !== null || item.before !== null || item.after !== null;
  return (
    <li data-tone={tone}>
      <div class="moment-head">
        <strong>{title}</strong>
        {campaign && item.campaign_id && (
          <a class="small" href={to(`campaigns/${item.campaign_id}`)}>
            {campaign}
          </a>
        )}
        <span class="small faint moment-time">
          <When at={item.at} isWall={item.kind === "changed"} />
        </span>
      </div>
      {detail && <p class="small quiet">{detail}</p>}
      {hasMore && (
        <details
          onToggle={({ currentTarget }) => {
            isOpen.value = currentTarget.open;
          }}
        >
          <summary class="small">{message === null ? "Show changes" : "Show email"}</summary>
          {isOpen.value && message === null && <Change item={item} />}
          {isOpen.value && message !== null && (
            <>
              {item.kind === "written" && <MadeFrom mail={message} />}
              <MailBody mail={message} />
            </>
          )}
        </details>
      )}
    </li>
  );
}

interface Described {
  tone: Tone;
  title: string;
  detail: string;
}

const STATES: Readonly<Record<string, [tone: Tone, title: string]>> = {
  sent: ["brand", "Sent"],
  sending: ["brand", "Sending"],
  deferred: ["warn", "Deferred by the mail server"],
  failed: ["bad", "Couldn’t be sent"],
  unknown: ["warn", "Unconfirmed: may or may not have been delivered"],
  cancelled: ["plain", "Canceled"],
  queued: ["plain", "Waiting to be sent"],
};

function describe(item: Item, nameOf: (actor: string) => string): Described {
  const { message } = item;
  const said = item.words ?? "";
  switch (item.kind) {
    case "enrolled":
      return { tone: "plain", title: "Added to the campaign", detail: "" };
    case "written": {
      const [tone, title] = STATES[message?.status ?? ""] ?? ["plain", "Email"];
      const step = message?.step_position ? `Step ${message.step_position}: ` : "Written by hand: ";
      return { tone, title, detail: `${step}${message?.subject ?? ""}` };
    }
    case "bounced":
      return { tone: "bad", title: "Bounced", detail: said };
    case "opened":
      return { tone: "plain", title: "Opened", detail: "Probably by a person" };
    case "clicked":
      return { tone: "plain", title: "Clicked a link", detail: "" };
    case "received": {
      const kind = KINDS[message?.kind as keyof typeof KINDS] ?? KINDS.unrelated;
      const why = said === "" ? "" : `Matched rule: ${evidenceWords(said)}`;
      return { tone: kind.tone, title: kind.name, detail: why };
    }
    case "task":
      return { tone: "warn", title: "Task created", detail: said };
    case "task_done":
      return { tone: "good", title: "Task done", detail: said };
    case "task_skipped":
      return { tone: "plain", title: "Task skipped", detail: said };
    case "suppressed": {
      const reason = SUPPRESSED_BY[said as keyof typeof SUPPRESSED_BY]?.name ?? words(said);
      return { tone: "bad", title: "Suppressed", detail: `${reason}. No more emails are sent` };
    }
    default: {
      const [, verb = said] = said.split(".");
      const title = ACTIONS[said] ?? words(verb);
      return { tone: "plain", title, detail: `By ${nameOf(item.actor ?? "")}` };
    }
  }
}

const ACTIONS: Readonly<Record<string, string>> = {
  "lead.patch": "Details changed",
  "campaign_lead.patch": "Status in the campaign changed",
  "campaign_lead.remove": "Removed from the campaign",
  "campaign_lead.treat_as_sent": "Unconfirmed email counted as sent",
  "campaign_lead.send_again": "Unconfirmed email sent again",
};

function Change({ item }: { item: Item }) {
  const names = [...new Set([...Object.keys(item.before ?? {}), ...Object.keys(item.after ?? {})])];
  return (
    <dl class="lead-facts">
      {names.map((name) => (
        <>
          <dt key={name}>{words(name)}</dt>
          <dd>
            <s class="faint">{shown(item.before?.[name])}</s> {shown(item.after?.[name])}
          </dd>
        </>
      ))}
    </dl>
  );
}

function shown(value: unknown): string {
  if (value === null || value === undefined) {
    return "";
  }
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
