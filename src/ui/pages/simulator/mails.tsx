/** What the sandbox's mail servers hold, newest first; one read as text, and what is to come back for it. */

import { useSignal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import { curl } from "../../lib/curl.ts";
import { useData } from "../../lib/data.ts";
import { count } from "../../lib/format.ts";
import { filter, setFilters } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Card, Empty, Loaded, Pill, type Tone } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { When } from "../../parts/when.tsx";
import { Play } from "./play.tsx";

const SHOWN = 25;
const ADDRESS_MIN = 3;

const CURL = curl("GET", "/sandbox/messages");

const VERDICTS: Readonly<Record<Captured["verdict"], [tone: Tone, word: string]>> = {
  delivered: ["good", "Delivered"],
  spam: ["warn", "Spam folder"],
  bounced: ["bad", "Bounced"],
};

type Captured = Awaited<ReturnType<typeof list>>["data"][number];

function list() {
  const recipient = filter("to");
  const one = recipient.length >= ADDRESS_MIN ? { recipient } : {};
  return api().listSandboxMessages({ limit: SHOWN, ...one });
}

export function Mails() {
  const open = useSignal<Captured | undefined>(undefined);
  const mails = useData(list, ["email"]);
  return (
    <Card
      flush
      title="Captured emails"
      note={
        <input
          class="input"
          type="search"
          aria-label="Filter by recipient"
          placeholder="Filter by recipient"
          value={filter("to")}
          onChange={({ currentTarget }) => setFilters({ to: currentTarget.value.trim() })}
        />
      }
    >
      <Loaded data={mails}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty
              icon="inbox"
              title={filter("to") === "" ? "No emails yet" : "No emails to this address"}
              curl={CURL}
            >
              Start a campaign, then jump to the next email. Everything the sandbox sends shows up
              here.
            </Empty>
          ) : (
            <>
              <Captures mails={data} onOpen={(mail) => (open.value = mail)} />
              {data.length === SHOWN && (
                <p class="quiet small long-foot">Showing the newest {count(SHOWN)}.</p>
              )}
            </>
          )
        }
      </Loaded>
      {open.value !== undefined && (
        <Mail
          key={open.value.id}
          mail={open.value}
          onClose={() => {
            open.value = undefined;
          }}
        />
      )}
    </Card>
  );
}

function Captures(props: { mails: readonly Captured[]; onOpen: (mail: Captured) => void }) {
  return (
    <Table
      label="Captured emails"
      rows={props.mails}
      columns={[
        {
          title: "Subject",
          cell: (mail) => (
            <button type="button" class="link" onClick={() => props.onOpen(mail)}>
              {mail.subject || "(no subject)"}
            </button>
          ),
        },
        { title: "From", cell: ({ sender }) => sender },
        { title: "To", cell: ({ recipient }) => recipient },
        {
          title: "Outcome",
          cell: ({ verdict }) => {
            const [tone, word] = VERDICTS[verdict];
            return <Pill tone={tone}>{word}</Pill>;
          },
        },
        { title: "Received", cell: ({ sent_at }) => <When at={sent_at} />, isFigure: true },
      ]}
    />
  );
}

function Mail({ mail, onClose }: { mail: Captured; onClose: () => void }) {
  const read = useData(() => api().getSandboxMessage({ id: mail.id }));
  return (
    <Dialog title={mail.subject || "(no subject)"} onClose={onClose}>
      <p class="quiet small">
        {mail.sender} to {mail.recipient}
      </p>
      <Loaded data={read}>
        {({ headers, text }) => (
          <>
            <pre class="mail-source">{text}</pre>
            <details>
              <summary>Headers</summary>
              <pre class="mail-source">
                {headers.map(({ name, value }) => `${name}: ${value}`).join("\n")}
              </pre>
            </details>
          </>
        )}
      </Loaded>
      {can("sandbox:write") ? (
        <Play mail={mail} onClose={onClose} />
      ) : (
        <div class="actions">
          <Button onClick={onClose}>Close</Button>
        </div>
      )}
    </Dialog>
  );
}
