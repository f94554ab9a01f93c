/** One mailbox: how well it is, what it may still send, and how it is set. */

import type { Account, AccountUsage } from "#client.ts";
import { Heartbeat } from "../../charts/heartbeat.tsx";
import { Ring } from "../../charts/ring.tsx";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { count, date } from "../../lib/format.ts";
import { env } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Act } from "../../parts/act.tsx";
import { Card, Loaded, Notice, Page, Pill } from "../../parts/page.tsx";
import { Tags } from "../../parts/tags.tsx";
import { When } from "../../parts/when.tsx";
import { sayDeleted } from "../restore.ts";
import { Connection } from "./connection.tsx";
import { DomainLink } from "./dns.tsx";
import { HealthHistory, Parts, Ramp } from "./health.tsx";
import { Placement } from "./placement.tsx";
import { Servers } from "./servers.tsx";
import { Settings } from "./settings.tsx";
import { providerName, scoreOf, stateOf, troubleOf } from "./words.ts";

async function load(id: string) {
  const [account, health, usage, activity] = await Promise.all([
    api().getAccount({ id }),
    api().getAccountHealth({ id }),
    api().getAccountUsage({ id }),
    api().listAccountActivity({ hours: 48 }),
  ]);
  const beats = activity.data.find(({ account_id }) => account_id === id)?.hours ?? [];
  return { account, health, usage, beats };
}

type All = Awaited<ReturnType<typeof load>>;

export function AccountPage({ id }: { id: string }) {
  const data = useData(() => load(id), ["account", "email"]);
  const account = data.value?.account;
  const [tone, word] = account ? stateOf(account) : (["plain", ""] as const);
  return (
    <Page
      title={account?.email ?? "Mailbox"}
      badge={account && <Pill tone={tone}>{word}</Pill>}
      about={
        account && (
          <>
            {account.display_name ? `${account.display_name} · ` : ""}
            {providerName(account.provider)} · {account.timezone} · added{" "}
            <When at={account.created_at} />
          </>
        )
      }
      actions={
        account && can("accounts:write") && <Actions account={account} reload={data.reload} />
      }
    >
      <Loaded data={data} lines={10}>
        {(all) => <Body all={all} reload={data.reload} />}
      </Loaded>
    </Page>
  );
}

function Body({ all, reload }: { all: All; reload: () => void }) {
  const { account, health, usage, beats } = all;
  const trouble = troubleOf(account);
  const isScored = scoreOf(account) !== null;
  return (
    <div class="stack">
      {trouble && (
        <Notice tone={trouble.tone}>
          <strong>{trouble.text}</strong> {trouble.remedy}
        </Notice>
      )}
      <div class="grid">
        <Card span={4} title="Health">
          <div class="stack">
            <div class="account-top">
              <Ring score={isScored ? health.score : null} label="Health" />
              <Effects health={health} stopped={stoppedOf(account)} />
            </div>
            {isScored && <Parts health={health} />}
          </div>
        </Card>
        <div class="stack span-8">
          <Card>
            {isScored ? (
              <HealthHistory health={health} />
            ) : (
              <>
                <h2>No health score yet</h2>
                <p class="quiet small">The score starts once the mailbox is connected.</p>
              </>
            )}
          </Card>
          <Card title="Last 48 hours">
            <Heartbeat beats={beats} label={account.email} hasCursor />
            <ul class="legend">
              {BEATS.map(([kind, name]) => (
                <li key={kind}>
                  <i class="beat-key" data-kind={kind} />
                  {name}
                </li>
              ))}
            </ul>
          </Card>
        </div>
        <Card span={4} title="Remaining capacity">
          <Today usage={usage} stopped={stoppedOf(account)} />
        </Card>
        <Card span={8}>
          <Ramp account={account} usage={usage} />
        </Card>
        <Card span={12} title="Tags">
          <Tags kind="accounts" id={account.id} />
        </Card>
      </div>
      <Placement id={account.id} />
      {can("accounts:write") && <Connection id={account.id} reload={reload} />}
      <Card title="Domain authentication" note={<DomainLink of={account.email} />}>
        <p class="quiet small">
          SPF, DKIM, and DMARC as receivers see them, what to publish, and who sends as you.
        </p>
      </Card>
      {can("accounts:write") && (
        <>
          {env.value === "live" && <Servers account={account} reload={reload} />}
          <Settings account={account} reload={reload} />
        </>
      )}
    </div>
  );
}

const BEATS = [
  ["sent", "Sent"],
  ["held", "Deferred"],
  ["fault", "Refused, bounced, or failed"],
  ["quiet", "Nothing sent"],
] as const;

/** In what state it sends nothing at all; null where it sends. */
function stoppedOf(account: Account): string | null {
  const isStopped = account.status !== "active" || !account.ready;
  return isStopped ? `Not sending: ${stateOf(account)[1].toLowerCase()}` : null;
}

function Effects(props: { health: All["health"]; stopped: string | null }) {
  const { health, stopped } = props;
  const said = [
    stopped ?? false,
    health.paused_until !== null && (
      <>
        Resumes <When at={health.paused_until} />
      </>
    ),
    health.on_trial_since !== null && `On trial since ${date(health.on_trial_since)}`,
    health.halved && "Sending at half its limits",
    !health.starts_new_leads && "Not starting new leads",
  ].filter((one) => one !== false);
  return (
    <ul class="plain-list small quiet">
      {said.length === 0 ? <li>Sending up to its full limits</li> : null}
      {said.map((one, nth) => (
        <li key={String(nth)}>{one}</li>
      ))}
    </ul>
  );
}

function Today({ usage, stopped }: { usage: AccountUsage; stopped: string | null }) {
  return (
    <div class="stack">
      {(
        [
          ["Today", usage.day],
          ["This hour", usage.hour],
        ] as const
      ).map(([name, stretch]) => (
        <div key={name}>
          <p class="today small">
            <span class="quiet">{name}</span>
            <span class="number">
              <strong>{count(stretch.used)}</strong> of {count(stretch.cap)}, {count(stretch.left)}{" "}
              left
            </span>
          </p>
          <progress
            class="meter thin"
            aria-label={`Sent: ${name.toLowerCase()}`}
            max={Math.max(1, stretch.cap)}
            value={stretch.used}
          />
        </div>
      ))}
      <p class="quiet small">
        {stopped !== null ? (
          `${stopped}.`
        ) : usage.free_at === null ? (
          "A limit is set to 0, so nothing is sent."
        ) : usage.day.left > 0 && usage.hour.left > 0 && usage.backoff_until === null ? (
          "Can send now."
        ) : (
          <>
            Can send again <When at={usage.free_at} />.
          </>
        )}{" "}
        {usage.day.cap < usage.day.limit &&
          `The limit is ${count(usage.day.limit)}${usage.halved ? ", halved for low health" : ""}${usage.ramp ? ", lowered by the ramp" : ""}.`}
      </p>
    </div>
  );
}

function Actions({ account, reload }: { account: Account; reload: () => void }) {
  const { id } = account;
  const isActive = account.status === "active";
  const turn = () => api().patchAccount({ id, body: { status: isActive ? "paused" : "active" } });
  return (
    <>
      <Act
        label={isActive ? "Pause" : "Resume"}
        done={isActive ? "Paused" : "Resumed"}
        run={() => turn().then(reload)}
      />
      <Act
        label="Delete"
        look="danger"
        run={() =>
          api()
            .deleteAccount({ id })
            .then(() => sayDeleted({ id, name: account.email, kind: "account" }))
        }
        asks={{ title: `Delete ${account.email}?`, action: "Delete mailbox" }}
      >
        It stops sending and reading email. Leads it was emailing go on hold until you decide,
        because another mailbox can’t continue their thread. You can restore it for 30 days; its
        credentials stay encrypted until then.
      </Act>
    </>
  );
}
