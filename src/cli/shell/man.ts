import type { Command } from "commander"
import { version } from "../../config/version.ts"
import { readerIsGone, writeStdout } from "../common/stdout.ts"
import { type CommandInfo, reportedCommands } from "./commands.ts"

/** `trawl man`: the manual page, for `man -l`. */
export function registerMan(program: Command): void {
  program
    .command("man")
    .description("Print the manual page, for example: trawl man | man -l -")
    .action(async () => {
      try {
        await writeStdout(manualOf(program))
      } catch (error) {
        if (!readerIsGone(error)) throw error
      }
    })
}

/** The manual page of every command, as roff. */
export function manualOf(program: Command): string {
  const [whole, ...commands] = reportedCommands(program)
  return `.TH TRAWL 1 "" ${quoted(`Trawl ${version}`)}
.SH NAME
trawl \\- ${plain(whole!.summary)}
.SH SYNOPSIS
.B trawl
[command] [options]
.br
.B trawl
.I url
.SH DESCRIPTION
Without a command, the service is started. An address of a page prints the page as Markdown.
.SH OPTIONS
${options(whole!)}.SH COMMANDS
${commands.map(section).join("")}.SH EXIT STATUS
0 where all went well; 1 where the work failed; 2 for what must be set right first.
.SH ENVIRONMENT
.B trawl config
prints every setting with what it is for.
`
}

function section(command: CommandInfo): string {
  return `.SS ${quoted(`trawl ${command.usage.replace(/^trawl /, "")}`)}
${plain(command.summary)}
${options(command)}`
}

const options = (command: CommandInfo) =>
  command.options
    .map(({ names, value, choices, summary }) => {
      const flags = names.map((name) => `\\fB${plain(name)}\\fR`).join(", ")
      const among = choices.length > 0 ? `; one of ${choices.join(", ")}` : ""
      return `.TP\n${flags}${value ? ` \\fI${plain(value)}\\fR` : ""}\n${plain(summary + among)}\n`
    })
    .join("")

/** Text that roff takes for nothing but text. */
const plain = (text: string) =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("\n", " ")
    .replace(/^([.'])/, "\\&$1")

const quoted = (text: string) => `"${plain(text).replaceAll('"', "\\(dq")}"`
