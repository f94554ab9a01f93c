/**
 * The limit of the API: Bun.serve and one prepared statement of bun:sqlite a request, on a copy of the
 * product's own file. No key, no validation, no events.
 */

import { Database, type SQLQueryBindings } from "bun:sqlite";

const input = JSON.parse(process.argv[2] ?? "{}") as { path: string };

const db = new Database(input.path, { strict: true });
db.run("PRAGMA journal_mode = WAL");
db.run("PRAGMA synchronous = FULL");
db.run("PRAGMA cache_size = -32768");

const COLUMNS = `lower(hex(id)) as id, lower(hex(team_id)) as team_id, name, status, status_reason,
  stop_on_reply, stop_on_auto_reply, send_window, max_leads_per_day, daily_limit, priority,
  max_per_domain_per_day, evergreen, account_ids, started_at, created_at, updated_at, enrolled, open,
  sent, replied, auto_replied, bounced, unsubscribed, completed, failed`;
const one = db.query(`select ${COLUMNS} from campaigns where id = ?`);
const page = db.query(
  `select ${COLUMNS} from campaigns where team_id = ? order by id desc limit 50 offset 0`,
);
const template = db
  .query<Record<string, SQLQueryBindings>, []>("select * from campaigns limit 1")
  .get();
const names = Object.keys(template ?? {});
const insert = db.query(
  `insert into campaigns (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`,
);
const teamId = template?.["team_id"] ?? null;

function row(name: string): SQLQueryBindings[] {
  const id = Buffer.from(Bun.randomUUIDv7().replaceAll("-", ""), "hex");
  return names.map((column) => {
    if (column === "id") {
      return id;
    }
    return column === "name" ? name : (template?.[column] ?? null);
  });
}

/** Requests of one turn of the event loop, in one transaction. */
let queue: { name: string; done: () => void }[] = [];

function flush(): void {
  const group = queue;
  queue = [];
  db.run("BEGIN IMMEDIATE");
  for (const { name } of group) {
    insert.run(...row(name));
  }
  db.run("COMMIT");
  for (const { done } of group) {
    done();
  }
}

const created = { status: 201 };

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  routes: {
    "/campaigns/:id": ({ params }) =>
      Response.json(one.get(Buffer.from(params.id.replaceAll("-", ""), "hex"))),
    "/campaigns": () => Response.json({ data: page.all(teamId) }),
    "/nothing": { POST: async (request) => Response.json(await request.json(), created) },
    "/insert": {
      POST: async (request) => {
        const body = (await request.json()) as { name: string };
        insert.run(...row(body.name));
        return Response.json(body, created);
      },
    },
    "/grouped": {
      POST: async (request) => {
        const body = (await request.json()) as { name: string };
        const { promise, resolve } = Promise.withResolvers<void>();
        if (queue.push({ name: body.name, done: resolve }) === 1) {
          setImmediate(flush);
        }
        await promise;
        return Response.json(body, created);
      },
    },
  },
});
console.log(JSON.stringify({ url: `http://127.0.0.1:${server.port}`, port: server.port }));
