/** Checks a webhook's receiver, and says how it did. */

import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Loaded, Pill } from "../../parts/page.tsx";

const LOOKS = {
  yes: ["good", "Yes"],
  no: ["bad", "No"],
  unknown: ["plain", "Can’t tell"],
} as const;

export function ReceiverCheck({ webhookId, onClose }: { webhookId: string; onClose: () => void }) {
  const result = useData(() => api().checkWebhook({ id: webhookId }));
  return (
    <Dialog title="Receiver check" onClose={onClose}>
      <div class="stack">
        <p class="hint">
          Sends made-up events to your URL: out of order, twice, late, and with bad signatures.
        </p>
        <Loaded data={result}>
          {({ verdicts }) => (
            <ul class="stack">
              {verdicts.map(({ check, verdict, message }) => {
                const [tone, word] = LOOKS[verdict];
                return (
                  <li key={check}>
                    <Pill tone={tone}>{word}</Pill> {message}
                  </li>
                );
              })}
            </ul>
          )}
        </Loaded>
        <div class="actions">
          <Button onClick={onClose}>Close</Button>
        </div>
      </div>
    </Dialog>
  );
}
