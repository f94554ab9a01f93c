/**
 * What people read, gathered from the sources so that it can be read on one page: `bun .ci/strings.ts ui`
 * prints the strings of a floor as Markdown, by file; without a name, those of all floors.
 */

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { type Node, SyntaxKind } from "typescript/unstable/ast";
import { isJsxAttribute, isJsxText, isStringLiteral } from "typescript/unstable/ast/is";
import { API } from "typescript/unstable/async";

const TOP = resolve(import.meta.dir, "..");
const CLASSES = new Set(["class", "className", "data-testid"]);
const TEMPLATES = new Set([
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateHead,
  SyntaxKind.TemplateMiddle,
  SyntaxKind.TemplateTail,
]);

export interface Text {
  /** From the top of the repository. */
  file: string;
  text: string;
}

/** Every text of these floors: what stands between tags, and literals of more than one word. */
export async function textsOf(floors: readonly string[]): Promise<Text[]> {
  const folder = mkdtempSync(join(tmpdir(), "outrider-strings-"));
  const config = join(folder, "tsconfig.json");
  // Syntax is enough: nothing is resolved, no type is asked for.
  const compilerOptions = {
    noLib: true,
    noResolve: true,
    noEmit: true,
    jsx: "preserve",
    allowImportingTsExtensions: true,
    types: [],
  };
  const include = floors.map((floor) => join(TOP, "src", floor, "**/*"));
  writeFileSync(config, JSON.stringify({ compilerOptions, include }));
  const api = new API({ cwd: TOP });
  try {
    const snapshot = await api.updateSnapshot({ openProjects: [config] });
    const program = snapshot.getProjects()[0]?.program;
    const found: Text[] = [];
    for (const path of (await program?.getSourceFileNames()) ?? []) {
      const source = await program?.getSourceFile(path);
      if (source !== undefined) {
        const file = relative(TOP, path);
        found.push(...textsIn(source).map((text) => ({ file, text })));
      }
    }
    return found;
  } finally {
    await api.close();
    rmSync(folder, { recursive: true });
  }
}

function textsIn(source: Node): string[] {
  const found: string[] = [];
  const visit = (node: Node): undefined => {
    if (isJsxAttribute(node) && CLASSES.has(node.name.getText())) {
      return;
    }
    const text = textOf(node)?.replace(/\s+/g, " ").trim() ?? "";
    if (/\p{L}/u.test(text)) {
      found.push(text);
    }
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

function textOf(node: Node): string | undefined {
  if (isJsxText(node)) {
    return node.text;
  }
  const isLiteral = isStringLiteral(node) || TEMPLATES.has(node.kind);
  const { text } = node as Node & { text?: string };
  return isLiteral && text !== undefined && /\p{L}[,.:;]? \p{L}/u.test(text) ? text : undefined;
}

if (import.meta.main) {
  const all = readdirSync(join(TOP, "src"), { withFileTypes: true });
  const named = process.argv.slice(2);
  const floors =
    named.length > 0 ? named : all.filter((one) => one.isDirectory()).map(({ name }) => name);
  const byFile = Map.groupBy(await textsOf(floors), ({ file }) => file);
  for (const [file, texts] of byFile) {
    console.log(`\n## ${file}\n\n${texts.map(({ text }) => `- ${text}`).join("\n")}`);
  }
}
