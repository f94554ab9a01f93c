/** What receivers look up about a sender's domain, and what to publish where something is missing. */

import { useSignal } from "@preact/signals";
import { api, ask } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { Card, Loaded, Pill, type Tone } from "../../parts/page.tsx";

const CHECKS: Readonly<Record<string, string>> = {
  mx: "Receives mail (MX)",
  spf: "May send for the domain (SPF)",
  dkim: "Signs its mail (DKIM)",
  dmarc: "Says what to do with forgeries (DMARC)",
  sending_host: "The sending server’s own name",
  tracking_host: "The name in links",
};

const VERDICTS: Readonly<Record<string, [tone: Tone, word: string]>> = {
  ok: ["good", "Good"],
  warning: ["warn", "Could be better"],
  fault: ["bad", "Wrong"],
  unknown: ["plain", "Not known"],
};

export function Dns({ id }: { id: string }) {
  const isOpen = useSignal(false);
  return (
    <Card
      title="Does the domain speak for it?"
      note={
        <Button
          look="compact"
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          {isOpen.value ? "Close" : "Check DNS"}
        </Button>
      }
    >
      {isOpen.value ? (
        <Report id={id} />
      ) : (
        <p class="quiet small">
          SPF, DKIM and DMARC as receivers see them now, with what to publish where something lacks.
        </p>
      )}
    </Card>
  );
}

function Report({ id }: { id: string }) {
  const report = useData(() => ask(api().accounts({ id }).dns.get({ query: {} })));
  return (
    <Loaded data={report}>
      {({ checks, domain }) => (
        <>
          <p class="quiet small">{domain}</p>
          <ul class="dns">
            {checks.map(({ check, verdict, message, remedy, found, publish }) => {
              const [tone, word] = VERDICTS[verdict] ?? ["plain", verdict];
              return (
                <li key={check}>
                  <div>
                    <strong>{CHECKS[check] ?? check}</strong> <Pill tone={tone}>{word}</Pill>
                  </div>
                  <p class="small">
                    {message.charAt(0).toUpperCase() + message.slice(1)}. {remedy}
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
                </li>
              );
            })}
          </ul>
        </>
      )}
    </Loaded>
  );
}
