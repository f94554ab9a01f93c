/** What receivers look up about a sender's domain, and what to publish where something is missing. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { AccountDns } from "#client.ts";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { can } from "../../lib/session.ts";
import { Act } from "../../parts/act.tsx";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { Card, Loaded, Pill, type Tone } from "../../parts/page.tsx";
import { sentence } from "./words.ts";

const CHECKS: Readonly<Record<string, string>> = {
  mx: "Receives email (MX)",
  spf: "Authorized to send (SPF)",
  dkim: "Signs its email (DKIM)",
  dmarc: "Forgery policy (DMARC)",
  sending_host: "Sending server’s host name",
  block_lists: "Block lists",
  tracking_host: "Tracking host",
};

const VERDICTS: Readonly<Record<CheckOf["verdict"], [tone: Tone, word: string]>> = {
  ok: ["good", "Passed"],
  advice: ["plain", "Optional"],
  warning: ["warn", "Needs attention"],
  fault: ["bad", "Failed"],
  unknown: ["plain", "Unknown"],
};

export function Dns({ id }: { id: string }) {
  const isOpen = useSignal(false);
  return (
    <Card
      title="Domain authentication"
      note={
        <Button
          look="compact"
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          {isOpen.value ? "Hide" : "Check DNS"}
        </Button>
      }
    >
      {isOpen.value ? (
        <Report id={id} />
      ) : (
        <p class="quiet small">
          Checks SPF, DKIM, and DMARC as receivers see them now, and shows what to publish if
          something is missing.
        </p>
      )}
    </Card>
  );
}

function Report({ id }: { id: string }) {
  const report = useData(() => api().getAccountDns({ id }));
  return (
    <Loaded data={report}>
      {({ checks, domain }) => (
        <>
          <p class="quiet small">{domain}</p>
          <ul class="dns">
            {checks.map((check) => (
              <Check key={check.check} of={check}>
                {check.check === "dkim" && check.verdict === "fault" && (
                  <Sign id={id} reload={report.reload} />
                )}
              </Check>
            ))}
          </ul>
        </>
      )}
    </Loaded>
  );
}

type CheckOf = AccountDns["checks"][number];

function Check({ of, children }: { of: CheckOf; children: ComponentChildren }) {
  const { check, verdict, message, remedy, found, publish } = of;
  const [tone, word] = VERDICTS[verdict];
  // A remedy that is a call of the API is a button here.
  const isCall = remedy?.includes("POST /") === true && publish.length === 0;
  return (
    <li>
      <div>
        <strong>{CHECKS[check] ?? check}</strong> <Pill tone={tone}>{word}</Pill>
      </div>
      <p class="small">
        {sentence(message)} {!isCall && remedy && sentence(remedy)}
      </p>
      {found.map((record) => (
        <code key={record}>{record}</code>
      ))}
      {publish.map(({ name, type, value }) => (
        <div key={name} class="publish">
          <span class="small">
            Publish {type} at {name}:
          </span>
          <code>{value}</code>
          <CopyButton text={value} />
        </div>
      ))}
      {isCall && children}
    </li>
  );
}

/** Name of our key in DNS. */
const SELECTOR = "outrider";

/** Lets the program sign the mailbox's email, where its server does not. */
function Sign({ id, reload }: { id: string; reload: () => void }) {
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
              .then(reload)
          }
        />
      )}
    </div>
  );
}
