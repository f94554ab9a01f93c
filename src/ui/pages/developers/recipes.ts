/** How a receiver knows that a delivery is ours: the programs that the guide to webhooks shows. */

export interface Recipe {
  language: string;
  code: string;
}

const LANGUAGES: Readonly<Record<string, string>> = {
  ts: "TypeScript",
  python: "Python",
  go: "Go",
  bash: "Shell",
};
const BLOCK = /```(\w+)\n([\s\S]*?)```/g;

export function recipesIn(text: string): Recipe[] {
  return [...text.matchAll(BLOCK)].flatMap(([, word = "", code = ""]) => {
    const language = LANGUAGES[word];
    // They stand in a list, three columns in.
    return language === undefined
      ? []
      : [{ language, code: code.replace(/^ {3}/gm, "").trimEnd() }];
  });
}
