/** Every key that does something now, by owner. */

import { hasSingleKeys, keyCaps, keyGroups, setSingleKeys } from "../lib/keys.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

export function KeyList({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <div class="key-list">
        {keyGroups.value.map(({ name, keys }) => (
          <section key={name}>
            <h3>{name}</h3>
            <dl>
              {Object.entries(keys()).map(
                ([key, action]) =>
                  action && (
                    <div key={key}>
                      <dt>{action.name}</dt>
                      <dd>
                        <KeyCaps of={key} />
                      </dd>
                    </div>
                  ),
              )}
            </dl>
          </section>
        ))}
      </div>
      <label class="choice">
        <input
          type="checkbox"
          checked={hasSingleKeys.value}
          onChange={({ currentTarget }) => setSingleKeys(currentTarget.checked)}
        />
        Use single-key shortcuts
      </label>
      <div class="actions">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

export function KeyCaps({ of }: { of: string }) {
  return (
    <span class="keys">
      {keyCaps(of).map((cap, at) => (
        <kbd key={at}>{cap}</kbd>
      ))}
    </span>
  );
}
