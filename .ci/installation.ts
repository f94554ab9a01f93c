/**
 * What `outrider install` writes, where the documentation has it: the dashboard as a file, and the configurations of
 * proxies and of Litestream as blocks of the page on operations.
 *
 *   bun .ci/installation.ts           writes docs/grafana.json and docs/operations.md
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dashboard } from "#web/monitoring/dashboard.ts";
import { filesOf } from "../src/cli/install/files.ts";

export const DASHBOARD_FILE = join(import.meta.dir, "../docs/grafana.json");
const OPERATIONS_FILE = join(import.meta.dir, "../docs/operations.md");

const EXAMPLE = {
  ...{ domain: "mail.example.com", tracking: ["go.customer.example"] },
  ...{ replica: "/mnt/other", executable: "/usr/local/bin/outrider" },
};

/** By the language of their block. */
function shown(): Record<string, string | undefined> {
  const files = filesOf({ ...EXAMPLE, front: "caddy" });
  return {
    caddy: files["Caddyfile"],
    nginx: filesOf({ ...EXAMPLE, front: "nginx" })["nginx.conf"],
    yaml: files["litestream.yml"],
  };
}

/** The whole page, with the blocks as they are written today. */
export function operationsPage(): string {
  let page = readFileSync(OPERATIONS_FILE, "utf8");
  for (const [language, text] of Object.entries(shown())) {
    const block = new RegExp(`(\`\`\`${language}\n)[\\s\\S]*?(?=\`\`\`)`);
    page = page.replace(block, (_whole, fence: string) => fence + (text ?? ""));
  }
  return page;
}

if (import.meta.main) {
  await Bun.write(DASHBOARD_FILE, dashboard());
  await Bun.write(OPERATIONS_FILE, operationsPage());
}
