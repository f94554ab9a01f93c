/**
 * The whole document against the routes, against the seed's interface, and against redocly's and
 * Spectral's reading of OpenAPI 3.1.
 */

import { describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readExamples } from "#api/document/examples.ts";
import { buildDocument } from "#api/openapi.ts";
import { apiRoutes } from "#api/resources.ts";
import seed from "../golden/seed.json" with { type: "json" };

/** The text itself is not in every checkout; its tables are. */
const SEED_TEXT = join(import.meta.dir, "../../../shared/seed/interface.md");
const SEED = seed as Seed;

interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: unknown }> }>;
}

/** Routes are only described here, never called, so their environments are never looked at. */
const routes = apiRoutes(undefined as never, undefined as never);
const text = JSON.stringify(await buildDocument(routes, "0.0.0", await readExamples()));
const document = JSON.parse(text) as {
  paths: Record<string, Record<string, Operation>>;
  tags: { name: string; description?: string }[];
  components: Record<string, Record<string, unknown>>;
};
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

describe("the document and the routes", () => {
  test("have the same operations", () => {
    const routed = routes.routes.map(({ method, path }) => {
      const named = path.replace("/api/v1", "").replace(/:(\w+)/g, "{$1}");
      return `${method} ${named.replace(/\/$/, "")}`;
    });
    const documented = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);

    expect(documented.sort()).toEqual(routed.sort());
  });

  test("have one parameter name for each place of a path, so that a path is written once", () => {
    const shapes = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, "{}"));

    expect(new Set(shapes).size).toBe(shapes.length);
  });
});

describe("every operation", () => {
  test("has an id of its own that is a name in any language", () => {
    const ids = operations.map(({ operation }) => operation.operationId);

    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
  });

  test("says in a sentence what it does", () => {
    const bare = operations.filter(
      ({ operation: { description = "" } }) => !description.endsWith("."),
    );

    expect(bare.map(({ operation }) => operation.operationId)).toEqual([]);
  });

  test("has a summary on one line and a tag that is described", () => {
    const described = document.tags
      .filter(({ description }) => description)
      .map(({ name }) => name);
    const bare = operations.filter(
      ({ operation: { summary = "", tags = [] } }) =>
        summary === "" ||
        summary.includes("\n") ||
        tags.length !== 1 ||
        tags.some((tag) => !described.includes(tag)),
    );

    expect(bare.map(({ operation }) => operation.operationId)).toEqual([]);
  });

  test("describes its answer, or answers 204", () => {
    const silent = operations.filter(({ operation: { responses } }) => {
      const success = Object.entries(responses).filter(([status]) => status.startsWith("2"));
      return (
        success.length === 0 ||
        success.some(([status, { content }]) => (status === "204") === (content !== undefined))
      );
    });

    expect(silent.map(({ operation }) => operation.operationId)).toEqual([]);
  });
});

const ALLOWED_HOST =
  /(?:^|\.)example(?:\.com)?$|^(?:login\.microsoftonline|outlook\.office365)\.com$/;

describe("the document", () => {
  test("refers to nothing that is not in it", () => {
    const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
    const broken = references.filter(([, kind = "", name = ""]) => {
      return document.components[kind]?.[name] === undefined;
    });

    expect(references.length).toBeGreaterThan(0);
    expect(broken.map(([reference]) => reference)).toEqual([]);
    expect(text).not.toContain('"$id"');
  });

  test("names no machine, no path of it and no host but those of examples", () => {
    expect(text).not.toContain(import.meta.dir.split("/").slice(0, 3).join("/"));
    expect(text).not.toMatch(/localhost|127\.0\.0\.1/);
    // RFC 2606 keeps these names for examples; a workspace's consent is given at Microsoft.
    const hosts = [...text.matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host]) => host);
    expect(hosts.filter((host) => !ALLOWED_HOST.test(host ?? ""))).toEqual([]);
  });

  test("passes redocly's lint without an error or a warning", () => {
    const folder = mkdtempSync(join(tmpdir(), "outrider-document-"));
    const file = join(folder, "openapi.json");
    try {
      writeFileSync(file, text);
      const { exitCode, stdout, stderr } = Bun.spawnSync(
        [
          join(import.meta.dir, "../../node_modules/.bin/redocly"),
          "lint",
          "--config",
          join(import.meta.dir, "redocly.yaml"),
          "--format=json",
          file,
        ],
        {
          env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
        },
      );
      const report = stdout.toString();
      const problems = report.startsWith("{")
        ? (JSON.parse(report) as { problems: { message: string; location: unknown }[] }).problems
        : [{ message: stderr.toString(), location: null }];

      expect(problems.map(({ message, location }) => ({ message, location }))).toEqual([]);
      expect(exitCode).toBe(0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 60_000);
});

const SPECTRAL = join(import.meta.dir, "../../.toolchain/spectral/node_modules/.bin/spectral");
const isSpectralMissing = process.env["OUTRIDER_TEST_TIER"] !== "full" && !existsSync(SPECTRAL);

test.skipIf(isSpectralMissing)(
  "Spectral's rules for OpenAPI find nothing in the document",
  () => {
    const { stdout, stderr, exitCode } = Bun.spawnSync(
      [
        ...[process.execPath, "--bun", SPECTRAL, "lint", "--fail-severity=hint", "--format=text"],
        `--ruleset=${join(import.meta.dir, "spectral.yaml")}`,
      ],
      { stdin: Buffer.from(text) },
    );

    const report = exitCode === 0 ? "" : `${stdout}${stderr}`;
    expect({ exitCode, report }).toEqual({ exitCode: 0, report: "" });
  },
  60_000,
);

describe("the seed's interface", () => {
  const { operations: wanted, records } = SEED;

  test("is what our copy of its tables says", () => {
    if (!existsSync(SEED_TEXT)) {
      console.log("the seed's text is not at hand: our copy of its tables is taken as it is");
      return;
    }
    expect(readSeed(readFileSync(SEED_TEXT, "utf8"))).toEqual(SEED);
  });

  test("has 23 operations, all in the document", () => {
    const documented = operations.map(({ method, path }) =>
      shapeOf(`${method.toUpperCase()} ${path}`),
    );
    const missing = wanted.filter((operation) => !documented.includes(shapeOf(operation)));

    expect(wanted).toHaveLength(23);
    expect(missing).toEqual([]);
  });

  test.each([
    ["Campaign", "Campaign"],
    ["Step", "CampaignStep"],
    ["Campaign lead", "CampaignLead"],
    ["Account", "Account"],
    ["Suppression", "Suppression"],
    ["Placement run", "PlacementRunCreated"],
    ["API key", "KeyCreated"],
    ["Webhook", "Webhook"],
    ["Experiment", "Experiment"],
    ["Experiment results", "ExperimentResult"],
  ])("has every field of a %s, with its type, in every answer", (title, schema) => {
    const fields = Object.entries(records[title] ?? {});

    expect(fields.length).toBeGreaterThan(3);
    expect(lostFields(fields, document.components["schemas"]?.[schema])).toEqual([]);
  });
});

test.each(["ExperimentDetail", "ExperimentResult"])("a variant in %s has every field", (name) => {
  const schema = document.components["schemas"]?.[name];
  const { properties } = schema as { properties: { variants: { items: unknown } } };
  const fields = Object.entries(SEED.records["Variant"] ?? {});
  expect(fields.length).toBeGreaterThan(3);
  expect(lostFields(fields, properties.variants.items)).toEqual([]);
});

function shapeOf(operation: string): string {
  return operation.replace(/\{\w+\}/g, "{}");
}

interface Seed {
  operations: string[];
  /** By heading, the fields of a record and what the seed calls their types. */
  records: Record<string, Record<string, string>>;
}

/** The endpoints, and the first table below each `### Heading` (up to a parenthesis). */
function readSeed(markdown: string): Seed {
  const endpoints = markdown.matchAll(/^\| (GET|POST|PATCH|DELETE) \| (\/\S+) \|/gm);
  const sections = markdown.split(/^### /m).slice(1);
  const records = sections.flatMap((section) => {
    const title = (section.split("\n")[0] ?? "").replace(/ \(.*$/, "");
    const table = /(^\|.*\n)+/m.exec(section)?.[0] ?? "";
    const rows = [...table.matchAll(/^\| (\w+) \| ([^|]+?) \|/gm)].slice(1);
    return rows.length === 0
      ? []
      : [[title, Object.fromEntries(rows.map(([, name, type]) => [name, type]))]];
  });
  return {
    operations: [...endpoints].map(([, method, path]) => `${method} ${path}`),
    records: Object.fromEntries(records) as Seed["records"],
  };
}

/** Fields of the seed that a component lacks, does not promise, or gives another type. */
function lostFields(fields: readonly [string, string][], component: unknown): string[] {
  const { properties, required = [] } = (component ?? {}) as {
    properties?: Record<string, Property>;
    required?: string[];
  };
  const lost = fields.filter(([name, type]) => {
    const property = properties?.[name];
    return property === undefined || !required.includes(name) || !fitsType(property, type);
  });
  return lost.map(([name]) => name);
}

function fitsType(property: Property, said: string): boolean {
  const types = typesOf(property);
  const word = said
    .replace("uuid string", "string")
    .replace("timestamp", "string")
    .split(/[ ,]/)[0];
  const isTime = !said.startsWith("timestamp") || property.format === "date-time";
  return isTime && types.includes(word ?? "");
}

interface Property {
  type?: string | string[];
  format?: string;
  $ref?: string;
  anyOf?: Property[];
}

/** What it may be, also by the component that it refers to. */
function typesOf({ type = [], $ref, anyOf = [] }: Property): string[] {
  const name = $ref?.split("/").at(-1) ?? "";
  const referred = document.components["schemas"]?.[name] as Property | undefined;
  const others = referred === undefined ? anyOf : [referred, ...anyOf];
  return [...[type].flat(), ...others.flatMap(typesOf)];
}
