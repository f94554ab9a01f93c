/** A sending domain: what receivers find, what to publish, what has changed, and who sends as it. */

import type { DomainDetail, DomainSenders } from "#client.ts";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { count, plural } from "../../lib/format.ts";
import { to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Act } from "../../parts/act.tsx";
import { Card, Loaded, Page, Pill } from "../../parts/page.tsx";
import { When } from "../../parts/when.tsx";
import { Check, checkName, Verdict } from "./dns.tsx";
import { sentence } from "./words.ts";

/** A look takes seconds, unless DNS is slow to respond. */
const LOOKS_MAX = 20;
const LOOK_EVERY_MS = 1_000;

async function look({ domain, checked_at: before }: DomainDetail): Promise<void> {
  await api().checkDomain({ domain });
  for (let nth = 0; nth < LOOKS_MAX; nth += 1) {
    await new Promise((done) => setTimeout(done, LOOK_EVERY_MS));
    if ((await api().getDomain({ domain })).checked_at !== before) {
      return;
    }
  }
}

export function DomainPage({ domain }: { domain: string }) {
  const data = useData(() => api().getDomain({ domain }), ["domain"]);
  const senders = useData(() => api().getDomainSenders({ domain }), ["domain"]);
  const shown = data.value;
  return (
    <Page
      title={domain}
      about={
        shown && (
          <>
            <Verdict of={shown.state} /> Checked <When at={shown.checked_at} />
          </>
        )
      }
      actions={
        shown &&
        can("accounts:write") && (
          <Act
            label="Check now"
            run={() => look(shown).then(data.reload)}
            done={`${domain} was checked.`}
          />
        )
      }
    >
      <div class="stack">
        <Loaded data={data} lines={8}>
          {(detail) => <Records of={detail} reload={data.reload} />}
        </Loaded>
        <Card title="Who sends as you">
          <Loaded data={senders}>{(value) => <Senders of={value} />}</Loaded>
        </Card>
      </div>
    </Page>
  );
}

function Records({ of, reload }: { of: DomainDetail; reload: () => void }) {
  const { checks, changes, listings, accounts } = of;
  return (
    <>
      <Card title="Records">
        <ul class="dns">
          {checks.map((check) => (
            <Check key={check.check} of={check}>
              {check.check === "dkim" && (
                <Sign id={accounts[0]?.id ?? ""} look={() => look(of).then(reload)} />
              )}
            </Check>
          ))}
        </ul>
        {listings.map(({ ip, list, since }) => (
          <p key={ip + list} class="small">
            {ip} has been on {list} since <When at={since} />.
          </p>
        ))}
        <p class="quiet small">
          {accounts.map(({ id, email }) => (
            <a key={id} href={to(`accounts/${id}`)}>
              {email}{" "}
            </a>
          ))}
        </p>
      </Card>
      {changes.length > 0 && (
        <Card title="What changed">
          <ul class="dns">
            {changes.map(({ at, check, was, is }) => (
              <li key={at + check}>
                <strong>{checkName(check)}</strong> <Verdict of={is.verdict} />{" "}
                <span class="quiet small">
                  <When at={at} />
                </span>
                <p class="small">
                  {sentence(is.message)} Before: {was.message}.
                </p>
                {was.found.map((record) => (
                  <del key={record}>
                    <code>{record}</code>
                  </del>
                ))}
                {is.found.map((record) => (
                  <code key={record}>{record}</code>
                ))}
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

function Senders({ of }: { of: DomainSenders }) {
  const { days, reports, reporters, verified, senders, tls } = of;
  if (reports === 0) {
    return (
      <p class="quiet small">
        No reports in the last {days} days. Receivers send them to the address that rua= in your
        DMARC record names: let it be one of your mailboxes.
      </p>
    );
  }
  return (
    <>
      <p class="quiet small">
        {plural(reports, "report")} in the last {days} days, from {reporters.join(", ")}
        {!verified && ". It isn’t confirmed that they wrote them"}.
      </p>
      <ul class="dns">
        {senders.map(({ name, addresses, messages, failed, ours, advice }) => (
          <li key={name}>
            <strong>{name}</strong>{" "}
            <Pill tone={failed === 0 ? "good" : ours ? "warn" : "bad"}>
              {ours ? "Yours" : "Not in SPF"}
            </Pill>
            <p class="small">
              {plural(messages, "email")}, {failed === 0 ? "all passed" : `${count(failed)} failed`}
              . {advice}
            </p>
            <span class="quiet small">{addresses.join(", ")}</span>
          </li>
        ))}
        {tls.passed + tls.failed > 0 && (
          <li>
            <strong>Encryption of email to you</strong>
            <p class="small">
              {count(tls.passed)} connections encrypted, {count(tls.failed)} failed.
            </p>
            {tls.failures.map(({ type, host, sessions }) => (
              <code key={type + host}>
                {type} {host} ({count(sessions)})
              </code>
            ))}
          </li>
        )}
      </ul>
    </>
  );
}

/** Name of our key in DNS. */
const SELECTOR = "outrider";

/** Lets the program sign the mailbox's email, where its server does not. */
function Sign({ id, look: again }: { id: string; look: () => Promise<void> }) {
  return (
    <div class="publish">
      <p class="small">
        Most providers sign email for you and show what to publish. If yours doesn’t, Outrider can
        sign it.
      </p>
      {can("accounts:write") && (
        <Act
          label="Create DKIM key"
          look="compact"
          done="DKIM key created. Publish the record shown"
          run={() =>
            api()
              .setAccountDkim({ id, body: { selector: SELECTOR } })
              .then(again)
          }
        />
      )}
    </div>
  );
}
