/** `outrider completions`: what a shell needs to complete commands and options. */

import { COMMON_OPTIONS } from "./arguments.ts";
import { type Commands, command } from "./command.ts";
import { EXIT, usageError } from "./exit.ts";
import { jsonLine } from "./term.ts";

const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;
type Shell = (typeof SHELLS)[number];

const WHERE: Readonly<Record<Shell, string>> = {
  bash: "outrider completions bash > ~/.local/share/bash-completion/completions/outrider",
  zsh: "outrider completions zsh > /usr/local/share/zsh/site-functions/_outrider",
  fish: "outrider completions fish > ~/.config/fish/completions/outrider.fish",
  powershell: "outrider completions powershell >> $PROFILE",
};

export const completionsCommand = command({
  about: "Print a shell completion script",
  details: Object.values(WHERE).join("\n"),
  options: {},
  positionals: [{ name: "SHELL", about: SHELLS.join(", ") }],
  run: async ({ words, commands, terminal, json }) => {
    const shell = SHELLS.find((name) => name === words[0]);
    if (shell === undefined) {
      throw usageError(`unknown shell "${words[0]}"; use ${SHELLS.join(", ")}`);
    }
    const script = scriptOf(shell, wordsAfter(await commands()));
    terminal.out(json ? jsonLine({ shell, script }) : script);
    return EXIT.done;
  },
});

interface Next {
  word: string;
  about: string;
}

/** What may come after each beginning: `campaigns` → `list`, `create` …; a command → its options. */
function wordsAfter(commands: Commands): Map<string, Next[]> {
  const after = new Map<string, Next[]>();
  const add = (before: string, next: Next) => {
    const known = after.get(before) ?? [];
    if (!known.some(({ word }) => word === next.word)) {
      after.set(before, [...known, next]);
    }
  };
  for (const [name, { about, options }] of Object.entries(commands)) {
    const words = name.split(" ");
    words.forEach((word, index) => {
      const isWhole = index === words.length - 1;
      add(words.slice(0, index).join(" "), { word, about: isWhole ? about : `${word} …` });
    });
    for (const [option, one] of Object.entries({ ...options, ...COMMON_OPTIONS })) {
      add(name, { word: `--${option}`, about: one.about });
    }
  }
  return after;
}

function scriptOf(shell: Shell, after: ReadonlyMap<string, readonly Next[]>): string {
  const makers = {
    ...{ bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript },
  };
  return makers[shell](after);
}

function bashScript(after: ReadonlyMap<string, readonly Next[]>): string {
  const cases = [...after].map(
    ([before, next]) => `    "${before}") words="${next.map(({ word }) => word).join(" ")}" ;;`,
  );
  return `# bash completion of outrider
_outrider_words() {
  case $1 in
${cases.join("\n")}
    *) return 1 ;;
  esac
}

_outrider() {
  local current=\${COMP_WORDS[COMP_CWORD]} before="" words="" word
  local previous=\${COMP_WORDS[COMP_CWORD - 1]} found
  local index
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    [[ $word == -* ]] && continue
    _outrider_words "\${before:+$before }$word" && before="\${before:+$before }$word"
  done
  _outrider_words "$before"
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  if [[ $current != -* && ($previous == --* || \${COMPREPLY[0]:---} == --*) ]]; then
    mapfile -t found < <("\${COMP_WORDS[0]}" completions values -- \\
      "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1)
    ((\${#found[@]} == 0)) || COMPREPLY=("\${found[@]}")
  fi
}

complete -o default -F _outrider outrider
`;
}

function zshScript(after: ReadonlyMap<string, readonly Next[]>): string {
  const cases = [...after].map(([before, next]) => {
    const words = next.map(({ word, about }) => quoted(`${word}:${about}`));
    return `    "${before}") next=(${words.join(" ")}) ;;`;
  });
  return `#compdef outrider
_outrider_next() {
  case $1 in
${cases.join("\n")}
    *) return 1 ;;
  esac
}

_outrider() {
  local before="" word
  local -a next values
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] && continue
    _outrider_next "\${before:+$before }$word" && before="\${before:+$before }$word"
  done
  _outrider_next "$before"
  if [[ \${words[CURRENT]} != -* && ( \${words[CURRENT-1]} == --* || -z \${(M)next:#[^-]*} ) ]]; then
    values=(\${(f)"$("\${words[1]}" completions values -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
    values=("\${(@)values//$'\\t'/:}")
    (( \${#values} )) && _describe value values && return
  fi
  _describe outrider next || _files
}

if [[ \${funcstack[1]} == _outrider ]]; then
  _outrider "$@"
else
  compdef _outrider outrider
fi
`;
}

/** A command's words come after exactly what is before them; its options also after its arguments. */
function fishScript(after: ReadonlyMap<string, readonly Next[]>): string {
  const lines = [...after].flatMap(([before, next]) =>
    next.map(({ word, about }) => {
      const isOption = word.startsWith("--");
      const given = isOption ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      const where = `_outrider_${isOption ? "in" : "at"} "${before}"`;
      return `complete -c outrider -n '${where}' ${given} -d ${quoted(about)}`;
    }),
  );
  return `# fish completion of outrider
function _outrider_spoken
    set -l words (commandline -opc)
    string join ' ' -- (string match -v -- '-*' $words[2..])
end

function _outrider_at
    test "$(_outrider_spoken)" = "$argv[1]"
end

function _outrider_in
    set -l spoken (_outrider_spoken)
    test "$spoken" = "$argv[1]"; or string match -q -- "$argv[1] *" "$spoken"
end

function _outrider_values
    set -l words (commandline -opc) (commandline -ct)
    type -q $words[1]; and $words[1] completions values -- $words[2..] 2>/dev/null
end

${lines.join("\n")}
complete -c outrider -n 'test (count (commandline -opc)) -gt 1' -f -a '(_outrider_values)'
`;
}

/** Strings in single quotes, in which only the quote itself means something. */
function powershellScript(after: ReadonlyMap<string, readonly Next[]>): string {
  const cases = [...after].map(([before, next]) => {
    const words = next.map(({ word, about }) => `${quoted(word)}, ${quoted(about)}`);
    return `  ${quoted(before)} = @(${words.map((one) => `@(${one})`).join(", ")})`;
  });
  return `# PowerShell completion of outrider
$OutriderWords = @{
${cases.join("\n")}
}

Register-ArgumentCompleter -Native -CommandName outrider -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $typed = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
  if ($wordToComplete -ne '') { $typed = @($typed | Select-Object -SkipLast 1) }
  $before = ''
  foreach ($word in $typed) {
    $longer = "$before $word".Trim()
    if (-not $word.StartsWith('-') -and $OutriderWords.ContainsKey($longer)) { $before = $longer }
  }
  if (-not $wordToComplete.StartsWith('-')) {
    $json = & outrider completions values --json -- @typed "$wordToComplete" 2>$null
    if ($json) {
      foreach ($one in ($json | ConvertFrom-Json).values) {
        $about = if ($one.about) { $one.about } else { $one.value }
        [System.Management.Automation.CompletionResult]::new($one.value, $about, 'ParameterValue', $about)
      }
    }
  }
  foreach ($one in $OutriderWords[$before]) {
    if ($one[0].StartsWith($wordToComplete)) {
      [System.Management.Automation.CompletionResult]::new($one[0], $one[0], 'ParameterValue', $one[1])
    }
  }
}
`;
}

/** In single quotes, for any of the three; a backslash means something to fish even there. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "’").replaceAll("\\", "/")}'`;
}
