import type { Command } from "commander"
import { settingRows } from "../config/config.ts"

/** The parser's messages, and the same with the fix. */
const forms: [RegExp, string][] = [
  [/^unknown option '(.*)'$/, 'There is no option "$1".'],
  [/^unknown command '(.*)'$/, 'There is no command "$1".'],
  [/^missing required argument '(.*)'$/, "<$1> is missing."],
  [/^option '(.*)' argument missing$/, "$1 needs a value."],
  [/^required option '(.*)' not specified$/, "$1 is required."],
  [
    /^option '(.*)' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/,
    '$1 must be one of $3, not "$2".',
  ],
  [
    /^command-argument value '(.*)' is invalid for argument '(.*)'\. Allowed choices are (.*)\.$/,
    '<$2> must be one of $3, not "$1".',
  ],
  [/^option '(.*)' argument '(.*)' is invalid\. (.*)$/, '$1 cannot be "$2". $3'],
  [
    /^too many arguments.*\. Expected 0 arguments? but got \d+: (.*)\.$/,
    "This command takes no arguments, but got: $1.",
  ],
  [
    /^too many arguments.*\. Expected 1 argument but got (\d+): (.*)\.$/,
    "This command takes one argument, but got $1: $2.",
  ],
  [
    /^too many arguments.*\. Expected (\d+) arguments? but got (\d+): (.*)\.$/,
    "This command takes at most $1, but got $2: $3.",
  ],
]

/** Returns a message of the parser as sentences. */
function sentenceOf(message: string): string {
  const [first = "", suggestion] = message
    .trim()
    .replace(/^error: /, "")
    .split("\n")
  const form = forms.find(([pattern]) => pattern.test(first))
  const sentence = form ? first.replace(...form) : first
  return [sentence, suggestion?.replace(/^\((.*)\)$/, "$1")].filter(Boolean).join(" ")
}

/**
 * Prints the parser's errors as sentences with the next step, for a command and its subcommands.
 */
export function explainUsageErrors(command: Command, path = command.name()): void {
  const advice = path === "trawl serve" ? settingAdvice : path === "trawl run" ? inputAdvice : none
  command.configureOutput({
    outputError: (message, write) =>
      write(`${sentenceOf(message)} ${advice(message)}See \`${path} --help\`.\n`),
  })
  for (const part of command.commands) explainUsageErrors(part, `${path} ${part.name()}`)
}

const none = () => ""

/** Inputs of scrapers are not options. */
function inputAdvice(message: string): string {
  const name = /unknown option '--([\w-]+)/.exec(message)?.[1]
  if (name === undefined || message.includes("Did you mean")) return ""
  const field = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  return `If it is an input of the scraper, write --input '{"${field}": …}'. `
}

/** Returns the environment variable to set instead of an option or argument of `serve`. */
function settingAdvice(message: string): string {
  const word = /'--?([\w-]+)/.exec(message)?.[1] ?? (/: \d+\.$/.test(message) ? "port" : "")
  const name = `TRAWL_${(word === "p" ? "port" : word).replaceAll("-", "_").toUpperCase()}`
  const setting = settingRows().find(({ env }) => env === name)
  const example = setting ? `${name}=${setting.fallback || "…"}` : "TRAWL_PORT=8080"
  return `Set an environment variable instead: ${example} trawl serve. \`trawl config\` lists all settings. `
}
