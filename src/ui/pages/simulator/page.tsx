/** The simulator: the sandbox's clock, its people, its faults, and what its mail servers hold. */

import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { env, to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Act } from "../../parts/act.tsx";
import { Card, Empty, Loaded, Page } from "../../parts/page.tsx";
import { Clock } from "./clock.tsx";
import { Logins } from "./logins.tsx";
import { Mails } from "./mails.tsx";
import { Rates } from "./rates.tsx";

export function SimulatorPage() {
  if (env.value === "live") {
    return (
      <Page title="Simulator">
        <Empty
          icon="simulator"
          title="Only the sandbox has a simulator"
          action={
            <a class="button primary" href={to("simulator", "test")}>
              Go to sandbox
            </a>
          }
        >
          Live uses real time, real servers, and real people.
        </Empty>
      </Page>
    );
  }
  return (
    <Page
      title="Simulator"
      about="Simulated recipients for your campaigns. No sandbox email leaves this machine."
      actions={
        can("sandbox:write") && (
          <Act
            label="Reset sandbox"
            look="danger"
            run={() =>
              api()
                .resetSandbox()
                .then(() => location.assign(to("simulator")))
            }
            asks={{ title: "Reset the sandbox?", action: "Delete everything" }}
          >
            This permanently deletes the sandbox’s campaigns, leads, mailboxes, emails, and
            experiments. Its API keys and webhooks stay, and live data isn’t touched.
          </Act>
        )
      }
    >
      <div class="stack">
        <Clock />
        <Behaviour />
        <Mails />
      </div>
    </Page>
  );
}

const PEOPLE = [
  ["reply", "Reply"],
  ["interested", "Reply with interest"],
  ["auto_reply", "Out of office"],
  ["unsubscribe", "Unsubscribe"],
  ["complaint", "Report as spam"],
  ["hard_bounce", "Hard bounce"],
  ["soft_bounce", "Soft bounce"],
  ["spam", "Land in spam"],
] as const;

const FAULTS = [
  ["smtp421", "421: try again later"],
  ["smtp450", "450: mailbox unavailable"],
  ["smtp550", "550: permanently rejected"],
  ["timeout", "Timeout"],
  ["cut", "Connection lost after the email"],
  ["imap", "Mailbox can’t be read"],
] as const;

function Behaviour() {
  const settings = useData(() => api().getSandboxSettings());
  return (
    <Loaded data={settings} lines={8}>
      {({ rates, faults }) => (
        <div class="grid">
          <Card span={6} title="Recipient behavior" note="Percent of emails">
            <Rates of="rates" names={PEOPLE} values={rates} />
          </Card>
          <Card span={6} title="Server faults" note="Percent of attempts">
            <div class="stack">
              <Rates of="faults" names={FAULTS} values={faults} />
              <Logins refused={faults.auth_failures} />
            </div>
          </Card>
        </div>
      )}
    </Loaded>
  );
}
