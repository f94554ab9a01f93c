/** What the sandbox's mail servers hold, newest first; one read as text. */

import { useSignal } from "@preact/signals";
import { api, ask } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { count } from "../../lib/format.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Card, Empty, Loaded, Pill, type Tone } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { When } from "../../parts/when.tsx";

const SHOWN = 50;

const CURL = `curl "$OUTRIDER_URL/api/v1/sandbox/messages" -H "Authorization: Bearer $OUTRIDER_KEY"`;

const VERDICTS: Readonly<Record<string, [tone: Tone, word: string]>> = {
  delivered: ["good", "In front of a person"],
  spam: ["warn", "Spam"],
  bounced: ["bad", "Bounced"],
};

export function Mails() {
  const open = useSignal<string | undefined>(undefined);
  const mails = useData(
    () => ask(api().sandbox.messages.get({ query: { limit: SHOWN } })),
    ["email"],
  );
  return (
    <Card flush title="What did the simulated servers take?" note={`The latest ${count(SHOWN)}`}>
      <Loaded data={mails}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon="inbox" title="No mail yet" curl={CURL}>
              Start a campaign and jump to the next mail: everything that is sent shows here.
            </Empty>
          ) : (
            <Table
              label="Captured mails"
              rows={data}
              columns={[
                {
                  title: "Subject",
                  cell: ({ id, subject }) => (
                    <button
                      type="button"
                      class="link"
                      onClick={() => {
                        open.value = id;
                      }}
                    >
                      {subject || "No subject"}
                    </button>
                  ),
                },
                { title: "From", cell: ({ sender }) => sender },
                { title: "To", cell: ({ recipient }) => recipient },
                {
                  title: "Put into",
                  cell: ({ verdict }) => {
                    const [tone, word] = VERDICTS[verdict] ?? [
                      "plain",
                      verdict.replaceAll("_", " "),
                    ];
                    return <Pill tone={tone}>{word}</Pill>;
                  },
                },
                { title: "Taken", cell: ({ sent_at }) => <When at={sent_at} />, isFigure: true },
              ]}
            />
          )
        }
      </Loaded>
      {open.value !== undefined && (
        <Mail
          key={open.value}
          id={open.value}
          onClose={() => {
            open.value = undefined;
          }}
        />
      )}
    </Card>
  );
}

function Mail({ id, onClose }: { id: string; onClose: () => void }) {
  const mail = useData(() => ask(api().sandbox.messages({ id }).get({ query: {} })));
  return (
    <Dialog title={mail.value?.subject || "A captured mail"} onClose={onClose}>
      <Loaded data={mail}>
        {({ headers, text }) => (
          <>
            <pre class="mail-text">{text}</pre>
            <details>
              <summary>Headers</summary>
              <pre class="mail-text">
                {headers.map(({ name, value }) => `${name}: ${value}`).join("\n")}
              </pre>
            </details>
          </>
        )}
      </Loaded>
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
