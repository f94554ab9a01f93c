/** What needs somebody, each with what can be done about it. */

import type { Data } from "../../lib/data.ts";
import { Icon } from "../../parts/icons.tsx";
import { Card, Loaded } from "../../parts/page.tsx";
import { Needs } from "./need-list.tsx";
import type { Waiting } from "./needs.ts";

export function Attention({ needs }: { needs: Data<Waiting> }) {
  return (
    <Card span={4} title="Needs attention" flush>
      <Loaded data={needs}>
        {({ needs: all }) =>
          all.length === 0 ? (
            <p class="quiet inset all-well">
              <Icon name="check" /> You’re all caught up.
            </p>
          ) : (
            <Needs label="Needs attention" needs={all} reload={needs.reload} />
          )
        }
      </Loaded>
    </Card>
  );
}
