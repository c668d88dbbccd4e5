import type { Command, Option } from "commander"

/** A command as shells and readers of the manual have it. */
export interface CommandInfo {
  /** `account create`; "" is the program. */
  path: string
  summary: string
  usage: string
  options: CommandOption[]
  subcommands: { name: string; summary: string }[]
  /** Its first argument is a scraper. */
  needsScraper: boolean
}

interface CommandOption {
  /** `--output`, and `-o` if it exists. */
  names: string[]
  /** `<path>`; "" takes none. */
  value: string
  choices: string[]
  summary: string
}

/** The program and its commands, each before its own. */
export function reportedCommands(program: Command): CommandInfo[] {
  const of = (command: Command, path: string): CommandInfo[] => {
    const help = command.createHelp()
    const subcommands = help.visibleCommands(command).filter((one) => one.name() !== "help")
    const reported = {
      path,
      summary: help.commandDescription(command),
      usage: help.commandUsage(command),
      options: help.visibleOptions(command).map(reportedOption),
      subcommands: subcommands.map((one) => ({ name: one.name(), summary: one.description() })),
      needsScraper: command.registeredArguments[0]?.name() === "scraper",
    }
    return [reported, ...subcommands.flatMap((one) => of(one, `${path} ${one.name()}`.trim()))]
  }
  return of(program, "")
}

function reportedOption({ flags, long, short, argChoices, description }: Option): CommandOption {
  return {
    names: [long, short].filter((name) => name !== undefined && name !== null),
    value: /[<[].*$/.exec(flags)?.[0] ?? "",
    choices: [...(argChoices ?? [])],
    summary: description,
  }
}
