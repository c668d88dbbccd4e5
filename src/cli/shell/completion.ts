import { Argument, type Command } from "commander"
import { catalogue } from "../../catalogue/index.ts"
import { readerIsGone, writeStdout } from "../common/stdout.ts"
import { type CommandInfo, reportedCommands } from "./commands.ts"

const shells = { bash, zsh, fish }

/** `trawl completion`: what a shell reads to complete commands, options and scrapers. */
export function registerCompletion(program: Command): void {
  program
    .command("completion")
    .description("Print the completion script of a shell, for example: trawl completion bash")
    .addArgument(new Argument("<shell>", "which one").choices(Object.keys(shells)))
    .action(async (shell: keyof typeof shells) => {
      try {
        await writeStdout(completionFor(shell, program))
      } catch (error) {
        if (!readerIsGone(error)) throw error
      }
    })
}

export function completionFor(shell: keyof typeof shells, program: Command): string {
  const slugs = catalogue.map(({ slug, tagline }) => ({ name: slug, summary: tagline }))
  return shells[shell](reportedCommands(program), slugs)
}

type Named = { name: string; summary: string }

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Sets `at` to the command that the words up to the cursor name, by the rule of bash and zsh. */
const walk = (commands: CommandInfo[], words: string) => `  local at="" word
  for word in ${words}; do
    case "$at\${at:+ }$word" in
      ${commands
        .flatMap(({ path }) => (path === "" ? [] : [quoted(path)]))
        .join("|")}) at="$at\${at:+ }$word" ;;
    esac
  done`

/** Options whose value is a file, or one of few, by command. */
function values(commands: CommandInfo[], offer: (choices: string[]) => string): string {
  const cases = commands.flatMap(({ path, options }) =>
    options
      .filter(({ value }) => value !== "")
      .map(({ names, choices }) => {
        const patterns = names.map((name) => quoted(`${path}:${name}`)).join("|")
        return `    ${patterns}) ${offer(choices)}; return ;;`
      }),
  )
  return cases.join("\n")
}

const optionNames = ({ options }: CommandInfo) => options.flatMap(({ names }) => names)

function bash(commands: CommandInfo[], slugs: Named[]): string {
  const offer = (words: string[]) =>
    `COMPREPLY=($(compgen -W ${quoted(words.join(" "))} -- "$cur"))`
  const cases = commands.map((command) => {
    const words = command.subcommands.map(({ name }) => name)
    const first = command.needsScraper
      ? `[[ "$at" == *"$prev" ]] && COMPREPLY=($(compgen -W "$slugs" -- "$cur"))`
      : words.length > 0
        ? offer(words)
        : ":"
    return `    ${quoted(command.path)})
      if [[ "$cur" == -* ]]; then ${offer(optionNames(command))}
      else ${first}; fi ;;`
  })
  return `# Completion of trawl for bash: source <(trawl completion bash)
_trawl() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  local slugs=${quoted(slugs.map(({ name }) => name).join(" "))}
${walk(commands, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
  COMPREPLY=()
  case "$at:$prev" in
${values(commands, (choices) => (choices.length > 0 ? offer(choices) : ":"))}
  esac
  case "$at" in
${cases.join("\n")}
  esac
}
complete -o default -F _trawl trawl
`
}

function zsh(commands: CommandInfo[], slugs: Named[]): string {
  const list = (entries: Named[]) =>
    entries
      .map(({ name, summary }) => quoted(`${name.replaceAll(":", "\\:")}:${summary}`))
      .join(" ")
  const describe = (what: string, entries: Named[]) =>
    `offered=(${list(entries)}); _describe ${what} offered`
  const cases = commands.map((command) => {
    const options = command.options.flatMap(({ names, summary }) =>
      names.map((name) => ({ name, summary })),
    )
    const first = command.needsScraper
      ? `if [[ "$at" == *"$prev" ]]; then ${describe("scraper", slugs)}; else _files; fi`
      : command.subcommands.length > 0
        ? describe("command", command.subcommands)
        : "_files"
    return `    ${quoted(command.path)})
      if [[ "$PREFIX" == -* ]]; then ${describe("option", options)}
      else ${first}; fi ;;`
  })
  return `#compdef trawl
# Completion of trawl for zsh: source <(trawl completion zsh)
_trawl() {
  local prev="\${words[CURRENT-1]}"
  local -a offered
${walk(commands, `"\${(@)words[2,CURRENT-1]}"`)}
  case "$at:$prev" in
${values(commands, (choices) => (choices.length > 0 ? `compadd -- ${choices.map(quoted).join(" ")}` : "_files"))}
  esac
  case "$at" in
${cases.join("\n")}
  esac
}
if [ "\${funcstack[1]}" = _trawl ]; then _trawl "$@"; else compdef _trawl trawl; fi
`
}

function fish(commands: CommandInfo[], slugs: Named[]): string {
  const text = (words: string) => `'${words.replace(/[\\']/g, "\\$&")}'`
  const paths = commands.flatMap(({ path }) => (path === "" ? [] : [text(path)]))
  const lines = commands.flatMap(({ path, options, subcommands, needsScraper }) => {
    const begin = `complete -c trawl -n ${text(`__trawl_at ${text(path)}`)}`
    const first = `complete -c trawl -f -n ${text(`__trawl_at ${text(path)} first`)}`
    return [
      ...subcommands.map(({ name, summary }) => `${begin} -f -a ${text(name)} -d ${text(summary)}`),
      ...(needsScraper
        ? slugs.map(({ name, summary }) => `${first} -a ${text(name)} -d ${text(summary)}`)
        : []),
      ...options.map(({ names, value, choices, summary }) => {
        const flags = names.map((name) =>
          name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
        )
        const accepts = choices.length > 0 ? `-x -a ${text(choices.join(" "))}` : value && "-r"
        return [begin, ...flags, accepts, `-d ${text(summary)}`].filter(Boolean).join(" ")
      }),
    ]
  })
  return `# Completion of trawl for fish: trawl completion fish | source
function __trawl_at
    set -l at ''
    set -l words (commandline -opc)
    for word in $words[2..-1]
        set -l further (string trim -- "$at $word")
        contains -- $further ${paths.join(" ")}; and set at $further
    end
    test "$at" = "$argv[1]"; or return 1
    test "$argv[2]" != first; or string match -q -- "*$words[-1]" $at
end
${lines.join("\n")}
`
}
