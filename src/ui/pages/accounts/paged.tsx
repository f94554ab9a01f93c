/** Rows of a list by pages, of which the address names the one on show. */

import type { ComponentChildren } from "preact";
import { filter, setFilters } from "../../lib/route.ts";
import { Button } from "../../parts/button.tsx";

export function Paged<Row>(props: {
  label: string;
  rows: readonly Row[];
  /** Rows on a page. */
  size: number;
  children: (shown: readonly Row[]) => ComponentChildren;
}) {
  const { label, rows, size, children } = props;
  const pages = Math.ceil(rows.length / size);
  const page = Math.min(pages, Math.max(1, Number(filter("page")) || 1));
  const turn = (by: number) => setFilters({ page: page + by === 1 ? "" : String(page + by) });
  return (
    <>
      {children(rows.slice((page - 1) * size, page * size))}
      {pages > 1 && (
        <nav class="actions" aria-label={label}>
          <Button disabled={page === 1} onClick={() => turn(-1)}>
            Previous
          </Button>
          <span class="quiet small">
            Page {page} of {pages}
          </span>
          <Button disabled={page === pages} onClick={() => turn(1)}>
            Next
          </Button>
        </nav>
      )}
    </>
  );
}
